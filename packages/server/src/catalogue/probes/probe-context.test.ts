import { expect, test } from "vitest";
import type { CallBackend, PaidResult } from "./call-backend.ts";
import { probeContext } from "./probe-context.ts";

/** A backend that reads `tokensPerSecond` tokens in a second, and counts 4 characters as a token. */
function createBackend(
  tokensPerSecond: number,
  other: (tokens: number) => Partial<PaidResult> | undefined = () => undefined,
) {
  const prompts: number[] = [];
  const call: CallBackend = async (body) => {
    const tokens = Math.round(JSON.stringify(body.messages).length / 4);
    prompts.push(tokens);
    const firstTokenMs = (tokens / tokensPerSecond) * 1_000;
    const usage = { prompt: tokens, completion: 3, cached: null, given: {} };
    const answer = {
      text: "48213",
      isOnlyThinking: false,
      tools: [],
      finishReason: "stop",
      usage,
      tokens: 3,
      firstTokenMs,
      durationMs: firstTokenMs,
    };
    return { kind: "answer", answer, costNano: 0n, ...other(tokens) } as PaidResult;
  };
  return { call, prompts };
}

test("the long prompt has half the stated context in tokens, as the backend counts them", async () => {
  const { call, prompts } = createBackend(100_000);
  const { verdict, figures } = await probeContext(call, 32_768);
  expect(verdict).toEqual({ result: "yes", reason: null });
  expect(prompts).toHaveLength(2);
  expect(figures?.promptTokens).toBe(prompts[1]);
  expect(Math.abs((prompts[1] ?? 0) - 16_384)).toBeLessThan(500);
});

test("a context of less than 2,000 tokens needs one prompt", async () => {
  const { call, prompts } = createBackend(100_000);
  expect((await probeContext(call, 1_000)).verdict?.result).toBe("yes");
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toBeLessThan(600);
});

test("a prompt that would take more than half a minute to read is not sent, and the verdict names its length and time", async () => {
  const { call, prompts } = createBackend(100);
  const { verdict } = await probeContext(call, 32_768);
  expect(prompts).toHaveLength(1);
  expect(verdict?.result).toBe("unclear");
  expect(verdict?.reason).toBe(
    `It found the number in a prompt of ${prompts[0]} tokens; half of its context, 16384 tokens, would take about 164 s to read.`,
  );
});

test("a prompt that costs more than is left is not sent, and the verdict says so", async () => {
  const { call } = createBackend(100_000, (tokens) => (tokens > 2_000 ? { kind: "unaffordable" } : undefined));
  const { verdict, end } = await probeContext(call, 32_768);
  expect(verdict?.result).toBe("unclear");
  expect(verdict?.reason).toContain("could cost more than what is left of the daily budget");
  expect(end).toBe("completed");
});

test("a refusal of the long prompt is a no", async () => {
  const { call } = createBackend(100_000, (tokens) =>
    tokens > 2_000 ? { kind: "refused", reason: "It refuses such calls with status 400." } : undefined,
  );
  expect((await probeContext(call, 32_768)).verdict).toEqual({
    result: "no",
    reason: "It refuses such calls with status 400.",
  });
});
