/** Collects a text up to a number of characters. What comes afterwards is left out. */
export class LimitedText {
  #parts: string[] = [];
  #length = 0;
  readonly #limit: number;
  /** Whether something was left out. */
  isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a text. Characters of the code 0, which messages may not hold, are left out. */
  add(given: string): void {
    const text = given.replaceAll("\0", "");
    const room = this.#limit - this.#length;
    if (text.length > room) this.isCut = true;
    const part = text.length > room ? text.slice(0, room) : text;
    if (part === "") return;
    this.#parts.push(part);
    this.#length += part.length;
  }

  /** Returns the text without spaces around it. A character that was cut in half is left out. */
  toString(): string {
    const text = this.#parts.join("").trim();
    return text.isWellFormed() ? text : text.replace(/[\ud800-\udbff]$/, "").toWellFormed();
  }
}
