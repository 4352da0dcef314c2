/** What the fake parser does with its text. */
export type FakeParserTask =
  /** Answers with the text. */
  | { kind: "echo"; text: string }
  /** Never ends, as a parser whose time grows much faster than its text. */
  | { kind: "hang" }
  /** Answers once a shared number is set by somebody else. */
  | { kind: "wait"; gate: Int32Array }
  /** Takes ever more memory. */
  | { kind: "grow" }
  | { kind: "throw" }
  /** Ends its thread. */
  | { kind: "exit" };

/** Stands in for a parser in tests: it blocks its thread, takes memory, throws. Returns the text, or what it waited for. */
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
