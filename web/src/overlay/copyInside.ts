/** Copies by the clipboard, or where a page without https is not given it by a hidden field inside the dialog. */
export async function copyInside(dialog: HTMLElement, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "hidden";
    dialog.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}
