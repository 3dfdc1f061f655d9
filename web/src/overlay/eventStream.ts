/** Server-sent events out of a stream of text that may be cut anywhere. */
export interface StreamEvent {
  event: string;
  data: any;
}

export class EventReader {
  private held = "";

  /** The events that are complete with this piece; comments and what cannot be read are passed over. */
  take(piece: string): StreamEvent[] {
    const blocks = (this.held + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.held = blocks.pop()!;
    return blocks.flatMap((block) => readEvent(block) ?? []);
  }
}

function readEvent(block: string): StreamEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  if (!data.length) return null;
  try {
    return { event, data: JSON.parse(data.join("\n")) };
  } catch {
    return null;
  }
}

export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield* events.take(value);
  }
}
