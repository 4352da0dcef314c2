import type { Tool, ToolCallResult } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { answer, conversation, question } from "#/testing/conversations.ts";
import { withApprovedTools, withChosenTools } from "../../conversation/chosen-tools.ts";
import { createConversations } from "../../conversation/conversations.ts";
import { type ChatSettings, DEFAULT_SETTINGS } from "../../conversation/settings.ts";
import { createMemoryStore } from "../../conversation/store/memory-store.ts";
import type { Answer, Entry, ToolCall, ToolResult } from "../../conversation/types.ts";
import { createToolRounds, MAX_RESULT_CHARACTERS, MAX_ROUNDS } from "./tool-rounds.ts";

const tool = (name: string, fingerprint = "f1"): Tool => ({
  ...{ name, fingerprint, server: "docs", title: null, description: "Searches." },
  input_schema: { type: "object" },
  output_schema: null,
  annotations: null,
});
const SEARCH = tool("docs__search");
const READ = tool("docs__read");
const text = (content: string, is_error = false): ToolCallResult => ({
  ...{ content: [{ type: "text", text: content }], structured_content: null, is_error, duration_ms: 1 },
});
const call = (name: string, json = "{}", id = "call_1"): ToolCall => ({ id, name, arguments: json });
const asks = (...toolCalls: ToolCall[]): Answer => answer("a1", "q1", { text: "", toolCalls, finish: "tool_calls" });
const CHOSEN = withChosenTools(DEFAULT_SETTINGS, [SEARCH.name, READ.name]);
const APPROVED = withApprovedTools(CHOSEN, [SEARCH]);

type Setup = {
  settings?: ChatSettings;
  listed?: readonly Tool[] | Error;
  respond?: (name: string, given: object, signal: AbortSignal) => Promise<ToolCallResult> | ToolCallResult;
  entries?: readonly Entry[];
};

/** A conversation with an answer that calls tools, and what was called and sent. */
async function setup(
  last: Answer,
  { settings = CHOSEN, listed = [SEARCH, READ], respond = () => text("Found."), entries }: Setup = {},
) {
  const store = createMemoryStore();
  const all = [...(entries ?? [question("q1")]), last];
  await store.write("c", () => conversation({ settings }), all);
  const conversations = createConversations({
    ...{ store, channel: null, now: () => 1, isWrittenByThisTab: () => false },
    listOpenTabs: async () => new Set<string>(),
  });
  await conversations.load("c");
  const called: [string, object][] = [];
  const sent: ToolResult[][] = [];
  const rounds = createToolRounds({
    conversations,
    tools: {
      list: async () => {
        if (listed instanceof Error) throw listed;
        return listed;
      },
      async call(name, given, signal) {
        called.push([name, given]);
        return respond(name, given, signal);
      },
    },
    sendResults: (_conversation, results) => sent.push(results),
  });
  const settingsNow = () => conversations.get("c")?.conversation.settings ?? DEFAULT_SETTINGS;
  return { rounds, called, sent, settingsNow };
}

describe("the tools that a model is offered", () => {
  test("are the chosen ones that are there and that models accept", async () => {
    const odd = tool("docs__a.b");
    const settings = withChosenTools(DEFAULT_SETTINGS, [SEARCH.name, odd.name, "docs__gone"]);
    const { rounds } = await setup(asks(), { listed: [SEARCH, READ, odd] });
    expect((await rounds.offer(settings)).map((one) => one.function.name)).toEqual([SEARCH.name]);
  });

  test("are none without a request, unless some are chosen", async () => {
    const { rounds } = await setup(asks(), { listed: new Error("unreachable") });
    expect(await rounds.offer(DEFAULT_SETTINGS)).toEqual([]);
    await expect(rounds.offer(CHOSEN)).rejects.toThrow("unreachable");
  });
});

describe("the calls of an answer", () => {
  test.each([
    ["of chosen tools", CHOSEN, [call(SEARCH.name)], true],
    ["of a tool that nobody has chosen, beside chosen ones", CHOSEN, [call("weather")], true],
    ["without chosen tools", DEFAULT_SETTINGS, [call(SEARCH.name)], false],
    ["of a function that is typed in the settings", { ...CHOSEN, tools: "[]" }, [call("weather")], false],
    ["of a chosen tool beside typed functions", { ...CHOSEN, tools: "[]" }, [call(SEARCH.name)], true],
  ])("%s are made here: %#", async (_which, settings, calls, expected) => {
    const last = asks(...calls);
    expect((await setup(last, { settings })).rounds.canRun(last)).toBe(expected);
  });

  test("that are allowed once are made, and their results are sent together", async () => {
    const last = asks(call(SEARCH.name, '{"q":"a"}', "one"), call(READ.name, "", "two"));
    const { rounds, called, sent, settingsNow } = await setup(last);
    await rounds.run(last, { one: "once", two: "once" });
    expect(called).toEqual([
      [SEARCH.name, { q: "a" }],
      [READ.name, {}],
    ]);
    expect(sent).toEqual([
      [
        { callId: "one", name: SEARCH.name, text: "Found." },
        { callId: "two", name: READ.name, text: "Found." },
      ],
    ]);
    expect(settingsNow().approved_tools).toBe("");
  });

  test("that are not allowed are not made, and the model gets that as their result", async () => {
    const last = asks(call(SEARCH.name, "{}", "one"), call(READ.name, "{}", "two"));
    const { rounds, called, sent } = await setup(last);
    await rounds.run(last, { one: "no" });
    expect(called).toEqual([]);
    expect(sent[0]?.map((result) => result.text)).toEqual(Array(2).fill("Error: the person did not allow this call."));
  });

  test("that are always allowed are made without asking from then on, until the tool changes", async () => {
    const last = asks(call(SEARCH.name));
    const first = await setup(last);
    await first.rounds.runApproved(last);
    expect(first.called).toEqual([]);
    await first.rounds.run(last, { call_1: "always" });
    const settings = first.settingsNow();
    const again = await setup(last, { settings });
    await again.rounds.runApproved(last);
    expect([again.called.length, again.sent.length]).toEqual([1, 1]);
    const changed = await setup(last, { settings, listed: [tool(SEARCH.name, "f2")] });
    await changed.rounds.runApproved(last);
    expect(changed.called).toEqual([]);
  });

  test.each([
    ["one of them is not always allowed", asks(call(SEARCH.name), call(READ.name, "{}", "two")), {}],
    ["the tools cannot be listed", asks(call(SEARCH.name)), { listed: new Error("unreachable") }],
    ["the answer was stopped", { ...asks(call(SEARCH.name)), state: "stopped" as const }, {}],
  ])("wait for the person when %s", async (_why, last, options) => {
    const { rounds, called } = await setup(last, { settings: APPROVED, ...options });
    await rounds.runApproved(last);
    expect(called).toEqual([]);
  });

  test("are not made by themselves more than ten times in a row", async () => {
    const results = [{ callId: "call_1", name: SEARCH.name, text: "Found." }];
    const before = (count: number): Entry[] =>
      Array.from({ length: count }, (_none, index) => [
        ...(index === 0 ? [question("q0")] : []),
        answer(`b${index}`, index === 0 ? "q0" : `r${index}`, { createdAt: index }),
        question(`r${index + 1}`, { after: [`b${index}`], text: "", results, createdAt: index + 1 }),
      ]).flat();
    for (const [count, expected] of [
      [MAX_ROUNDS - 1, 1],
      [MAX_ROUNDS, 0],
    ] as const) {
      const last = { ...asks(call(SEARCH.name)), question: `r${count}` };
      const { rounds, called } = await setup(last, { settings: APPROVED, entries: before(count) });
      await rounds.runApproved(last);
      expect(called).toHaveLength(expected);
    }
  });
});

describe("the result of a call that a model gets", () => {
  const resultOf = async (made: ToolCall, respond?: Setup["respond"]) => {
    const last = asks(made);
    const { rounds, sent } = await setup(last, respond ? { respond } : {});
    await rounds.run(last, { [made.id]: "once" });
    return sent[0]?.[0]?.text;
  };

  test.each([
    ["an error of the tool", text("The disk is full.", true), "Error: The disk is full."],
    ["a structured answer", { ...text(""), content: [], structured_content: { sum: 5 } }, '{"sum":5}'],
    ["an empty answer", { ...text(""), content: [] }, '"The tool answered nothing."'],
    ["a picture", { ...text(""), content: [{ type: "image", mimeType: "image/png" }] }, "[image: image/png]"],
  ])("names %s", async (_what, result, expected) => {
    expect(await resultOf(call(SEARCH.name), () => result)).toBe(expected);
  });

  test("says why it could not be made", async () => {
    expect(await resultOf(call(SEARCH.name, "{broken"))).toBe("Error: the arguments are not a JSON object.");
    expect(await resultOf(call(SEARCH.name, "[1]"))).toBe("Error: the arguments are not a JSON object.");
    expect(await resultOf(call("docs__find"))).toBe("Error: there is no tool docs__find.");
    expect(await resultOf(call(SEARCH.name), () => Promise.reject(new Error("Unreachable.")))).toBe(
      "Error: Unreachable.",
    );
  });

  test("is cut when it is long, and says so", async () => {
    const long = await resultOf(call(SEARCH.name), () => text("x".repeat(MAX_RESULT_CHARACTERS + 5)));
    expect(long).toMatch(/x\n\[cut: 50000 of 50005 characters\]$/);
  });
});

test("calls that are stopped send nothing, and can be decided anew", async () => {
  const last = asks(call(SEARCH.name));
  const { rounds, sent } = await setup(last, {
    respond: (_name, _given, signal) =>
      new Promise((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  const states: boolean[] = [];
  rounds.subscribe(() => states.push(rounds.isRunning("a1")));
  const run = rounds.run(last, { call_1: "once" });
  void rounds.run(last, { call_1: "once" }); // the second click of a double click
  rounds.stop("another");
  expect(rounds.isRunning("a1")).toBe(true);
  rounds.stop("c");
  await run;
  expect([sent, states]).toEqual([[], [true, false]]);
});
