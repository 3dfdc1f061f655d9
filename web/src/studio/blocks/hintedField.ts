// A field that says in a word what belongs into it while it is empty: an empty one would be too narrow to be seen or hit.

import * as Blockly from "blockly/core";

interface Told extends Blockly.FieldTextInputFromJsonConfig {
  hint?: string;
}

export const HINTED = "field_hinted";

class HintedField extends Blockly.FieldTextInput {
  private hint = "";

  static override fromJson({ text = "", hint = "", ...config }: Told): HintedField {
    const field = new HintedField(text, undefined, config);
    field.hint = hint;
    return field;
  }

  /** What is drawn; the value stays empty. */
  protected override getDisplayText_(): string {
    return this.isEmpty() ? this.hint : super.getDisplayText_();
  }

  protected override render_(): void {
    super.render_();
    this.textElement_?.classList.toggle("hint", this.isEmpty());
  }

  protected override widgetCreate_(): HTMLInputElement | HTMLTextAreaElement {
    const box = super.widgetCreate_();
    box.placeholder = this.hint;
    return box;
  }

  private isEmpty(): boolean {
    return this.getText() === "" && Boolean(this.hint);
  }
}

Blockly.fieldRegistry.register(HINTED, HintedField);
