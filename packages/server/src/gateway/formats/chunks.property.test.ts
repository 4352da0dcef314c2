import { formatEvent } from "@feather/testing/chat-events";
import { fc } from "@feather/testing/properties";
import { expect, test } from "vitest";
import { createSseParser } from "../apis/sse.ts";
import { completeUsage, mergeReportedUsage } from "../usage/reported-usage.ts";
import { type AnswerChoice, normalizeAnswer } from "./answers.ts";
import { type ChatChoice, type Chunk, createChunkReader } from "./chunks.ts";

const META = { id: "chatcmpl-1", created: 1, model: "o/n" };

type Call = { name: string; args: string };
type Given = { content: string; reasoning: string; refusal: string; calls: Call[]; reason: string; usage: object };
type Quirks = {
  /** The fields by which a backend identifies the call of a part. */
  identity: "index" | "id" | "both" | "neither";
  hasNulls: boolean;
  isListed: boolean;
  /** The position of the finish reason. With `never` there is only `[DONE]`. */
  end: "own chunk" | "last chunk" | "each chunk" | "twice" | "never";
  usageAt: "own chunk" | "empty choice" | "choice" | "halves";
  noise: string;
};
type Part =
  | { field: "content" | "reasoning_content" | "refusal"; text: string }
  | { call: number; name?: string; text: string };

const text = fc.string({ unit: fc.constantFrom("a", " ", "\n", "é", "🪶", '"', "{", "}", "羽"), maxLength: 12 });
const args = fc.oneof(
  fc.constantFrom("", " "),
  fc
    .dictionary(fc.constantFrom("a", "b"), fc.oneof(text, fc.integer(), fc.constant(null)))
    .map((value) => JSON.stringify(value)),
);
const answers: fc.Arbitrary<Given> = fc.record({
  content: text,
  reasoning: text,
  refusal: fc.oneof(fc.constant(""), text),
  calls: fc.array(args, { maxLength: 3 }).map((all) => all.map((given, at) => ({ name: `f${at}`, args: given }))),
  reason: fc.constantFrom("stop", "length", "eos", "MAX_TOKENS", "content_filter", "tool_calls"),
  usage: fc.record({
    prompt_tokens: fc.integer({ min: 1, max: 99 }),
    completion_tokens: fc.integer({ min: 1, max: 99 }),
  }),
});
const quirks: fc.Arbitrary<Quirks> = fc.record({
  identity: fc.constantFrom("index", "id", "both", "neither"),
  hasNulls: fc.boolean(),
  isListed: fc.boolean(),
  end: fc.constantFrom("own chunk", "last chunk", "each chunk", "twice", "never"),
  usageAt: fc.constantFrom("own chunk", "empty choice", "choice", "halves"),
  noise: fc.constantFrom("", "data:\n\n", ": ping\n\n", "event: ping\ndata: {}\n\n", "event: ping\ndata: x\n\n"),
});
/** Random numbers that decide where a text is cut and which part comes next. */
const decisions = fc.infiniteStream(fc.nat({ max: 1_000 }));

type Decide = (below: number) => number;

/** Cuts a text into parts between code points. */
function cut(whole: string, decide: Decide): string[] {
  const parts: string[] = [];
  const points = [...whole];
  while (points.length > 0) parts.push(points.splice(0, 1 + decide(5)).join(""));
  return parts;
}

/** Returns the parts of an answer in an order in which a backend may send them. */
function toParts({ content, reasoning, refusal, calls }: Given, { identity }: Quirks, decide: Decide): Part[] {
  const texts = Object.entries({ content, reasoning_content: reasoning, refusal }).map(([field, whole]) =>
    cut(whole, decide).map((piece): Part => ({ field: field as "content", text: piece })),
  );
  const ofCalls = calls.map(({ name, args: given }, call) => [
    { call, name, text: "" },
    ...cut(given, decide).map((piece): Part => ({ call, text: piece })),
  ]);
  const queues = [...texts, ...(identity === "neither" ? [ofCalls.flat()] : ofCalls)];
  const parts: Part[] = [];
  for (let open = queues; open.length > 0; open = open.filter((queue) => queue.length > 0)) {
    const next = open[decide(open.length)]?.shift();
    if (next) parts.push(next);
  }
  return parts;
}

function toDelta(part: Part, { identity, hasNulls, isListed }: Quirks): object {
  const nulls = hasNulls ? { role: null, content: null, reasoning_content: null, refusal: null, tool_calls: null } : {};
  if ("field" in part) {
    const isPart = isListed && part.field === "content";
    return { ...nulls, [part.field]: isPart ? [{ type: "text", text: part.text }] : part.text };
  }
  const { call, name, text: piece } = part;
  const known = {
    ...((identity === "index" || identity === "both") && { index: call }),
    ...((identity === "id" || (identity === "both" && name !== undefined)) && { id: `call_${call}` }),
  };
  return { ...nulls, tool_calls: [{ ...known, function: { ...(name !== undefined && { name }), arguments: piece } }] };
}

/** Returns the stream of a backend with these habits. */
function toStream(given: Given, how: Quirks, decide: Decide): string {
  const deltas: object[] = [{ role: "assistant" }, ...toParts(given, how, decide).map((part) => toDelta(part, how))];
  const events = deltas.map((delta, at) => {
    const isLast = at === deltas.length - 1;
    const hasReason = how.end === "each chunk" || (how.end === "last chunk" && isLast);
    return { choices: [{ index: 0, delta, finish_reason: hasReason ? given.reason : null }] };
  });
  const last = { choices: [{ index: 0, delta: {}, finish_reason: given.reason }] };
  const ends = how.end === "own chunk" ? [last] : how.end === "twice" ? [last, last] : [];
  return [...events, ...ends, ...toUsageChunks(given, how), "[DONE]"]
    .map((event) => how.noise + formatEvent(event))
    .join("");
}

function toUsageChunks({ usage }: Given, { usageAt }: Quirks): object[] {
  switch (usageAt) {
    case "own chunk":
      return [{ choices: [], usage }];
    case "empty choice":
      return [{ choices: [{ index: 0, delta: {} }], usage }];
    case "choice":
      return [{ choices: [{ index: 0, delta: {}, usage }] }];
    case "halves":
      return Object.entries(usage).map(([name, value]) => ({ choices: [], usage: { [name]: value } }));
  }
}

/** Reads a stream whose bytes arrive in pieces of random length. */
function readStream(stream: string, decide: Decide) {
  const reader = createChunkReader("chat", META);
  const parser = createSseParser();
  const chunks: Chunk[] = [];
  const bytes = Buffer.from(stream);
  for (let at = 0, size = 0; at < bytes.length; at += size) {
    size = 1 + decide(200);
    for (const { data, event } of parser.push(bytes.subarray(at, at + size))) {
      const chunk = reader.read(data, event);
      if (chunk) chunks.push(chunk);
    }
  }
  return { chunks: [...chunks, ...reader.end()] as Chunk<ChatChoice>[], state: reader.state };
}

type Message = { content: string; reasoning: string; refusal: string; calls: [string, string][]; reasons: string[] };

/** Assembles a stream as clients do. Fails if it violates the format. */
function assemble(chunks: readonly Chunk<ChatChoice>[]): Message {
  const message: Message = { content: "", reasoning: "", refusal: "", calls: [], reasons: [] };
  const ids: string[] = [];
  for (const { delta, finish_reason } of chunks.flatMap(({ choices }) => choices)) {
    expect(message.reasons, "nothing follows the end").toEqual([]);
    for (const value of [delta.content, delta.reasoning_content, delta.refusal])
      expect(["string", "undefined"]).toContain(typeof value);
    message.content += delta.content ?? "";
    message.reasoning += delta.reasoning_content ?? "";
    message.refusal += delta.refusal ?? "";
    for (const { index, id, function: added } of delta.tool_calls ?? []) {
      const call = message.calls[index];
      if (call) call[1] += added.arguments;
      else {
        expect([index, typeof id, typeof added.name]).toEqual([message.calls.length, "string", "string"]);
        message.calls.push([String(added.name), added.arguments]);
        ids.push(String(id));
      }
    }
    if (finish_reason !== null) message.reasons.push(finish_reason);
  }
  expect(new Set(ids).size, "each call has its own id").toBe(ids.length);
  return { ...message, calls: message.calls.sort() }; // they may have begun in another order
}

function readBuffered(given: Given, reason: string | null): Message {
  const message = {
    content: given.content,
    reasoning_content: given.reasoning,
    refusal: given.refusal,
    tool_calls: given.calls.map(({ name, args: text }) => ({ function: { name, arguments: text } })),
  };
  const usage = completeUsage(mergeReportedUsage(null, given.usage), () => 1, 1);
  const answer = normalizeAnswer("chat", { choices: [{ message, finish_reason: reason }] }, META, usage);
  const choice: AnswerChoice | undefined = answer?.choices[0];
  return {
    content: choice?.message?.content ?? "",
    reasoning: choice?.message?.reasoning_content ?? "",
    refusal: choice?.message?.refusal ?? "",
    calls: (choice?.message?.tool_calls ?? []).map((call) => [call.function.name, call.function.arguments]),
    reasons: [String(choice?.finish_reason)],
  };
}

test("any stream of an answer, however it is cut and ordered, is read as the same answer sent whole", () => {
  fc.assert(
    fc.property(answers, quirks, decisions, (given, how, source) => {
      const decide: Decide = (below) => Number(source.next().value) % below;
      const { chunks, state } = readStream(toStream(given, how, decide), decide);
      expect(assemble(chunks)).toEqual(readBuffered(given, how.end === "never" ? null : given.reason));
      expect([state.finished, state.failed, state.usage]).toMatchObject([
        true,
        false,
        {
          prompt: Reflect.get(given.usage, "prompt_tokens"),
          completion: Reflect.get(given.usage, "completion_tokens"),
        },
      ]);
    }),
    { numRuns: 500 },
  );
});
