/** What the fake parser does. */
export type FakeParserTask =
  /** Returns the text. */
  | { kind: "echo"; text: string }
  /** Never returns, like a parser whose time grows much faster than the length of its text. */
  | { kind: "hang" }
  /** Returns when another thread sets the shared number. */
  | { kind: "wait"; gate: Int32Array }
  /** Allocates more and more memory. */
  | { kind: "grow" }
  | { kind: "throw" }
  /** Ends its thread. */
  | { kind: "exit" };

/**
 * A fake parser for tests, which can block its thread, use up memory and throw. Returns the text of `echo`, and "waited"
 * after `wait`.
 */
export default function parse(task: FakeParserTask): string {
  switch (task.kind) {
    case "echo":
      return task.text;
    case "hang":
      for (;;);
    case "wait":
      Atomics.wait(task.gate, 0, 0);
      return "waited";
    case "grow":
      for (const kept: number[][] = []; ; ) kept.push(new Array<number>(10_000).fill(kept.length));
    case "throw":
      throw new RangeError("line 3 is not valid");
    case "exit":
      process.exit(1);
  }
}
