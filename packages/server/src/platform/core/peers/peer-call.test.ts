import { describe, expect, test } from "vitest";
import { z } from "zod";
import { errors } from "../errors/index.ts";
import { ENGINES_PATH, parseEngineUrl, toEngineBaseUrl } from "./engine-address.ts";
import {
  answerAsLeader,
  answerPeerCall,
  fromPeerError,
  isVersionRefusal,
  type PeerCall,
  toPeerError,
} from "./peer-call.ts";
import { derivePeerToken, PEER_VERSION_HEADER } from "./peer-token.ts";

const DOUBLE: PeerCall<{ number: number }, { result: number }> = {
  name: "double",
  input: z.object({ number: z.number() }),
  output: z.object({ result: z.number() }),
  timeoutMs: 1_000,
};
const secretOf = (byte: number) => new Uint8Array(32).fill(byte);

describe("the answers to calls of other replicas", () => {
  test("a call is answered with its validated input", async () => {
    const { name, answer } = answerPeerCall(DOUBLE, ({ number }) => ({ result: 2 * number }));
    expect([name, await answer({ number: 2, unknown: true })]).toEqual(["double", { result: 4 }]);
  });

  test("invalid input never reaches the answer", async () => {
    const { answer } = answerPeerCall(DOUBLE, () => expect.unreachable("It was answered."));
    await expect(answer({ number: "2" })).rejects.toThrow(z.ZodError);
    await expect(answer(null)).rejects.toThrow(z.ZodError);
  });

  test("only the leader answers a call to the leader, from the moment on at which it leads", async () => {
    let leads = false;
    const { answer } = answerAsLeader(DOUBLE, { isLeader: () => leads }, ({ number }) => ({ result: 2 * number }));
    await expect(answer({ number: 1 })).rejects.toMatchObject({ status: 503, headers: { "retry-after": "3" } });
    leads = true;
    expect(await answer({ number: 1 })).toEqual({ result: 2 });
  });
});

describe("errors between replicas", () => {
  test("an error for a caller arrives as it was thrown, through JSON", () => {
    const refusal = errors.invalidRequest("It is too long.", { details: { max: 5 }, headers: { "x-a": "1" } });
    expect(fromPeerError(JSON.parse(JSON.stringify(toPeerError(refusal))))).toMatchObject({
      status: 400,
      code: "invalid_request",
      message: "It is too long.",
      details: { max: 5 },
      headers: { "x-a": "1" },
    });
  });

  test.each([
    ["nothing", null],
    ["text", "error"],
    ["another form", { message: "No." }],
    ["a status of a success", { error: { status: 200, code: "invalid_request", message: "", headers: {} } }],
    [
      "a code that this version does not know",
      { error: { status: 400, code: "later.code", message: "", headers: {} } },
    ],
    ["a code that is no text", { error: { status: 400, code: 1, message: "", headers: {} } }],
    ["a header that is no text", { error: { status: 400, code: "invalid_request", message: "", headers: { a: 1 } } }],
  ])("a body that is no error is not read as one: %s", (_what, body) => expect(fromPeerError(body)).toBeNull());

  test("a refusal of another version differs from an error by its header", () => {
    expect(isVersionRefusal(503, { [PEER_VERSION_HEADER]: "2" })).toBe(true);
    expect(isVersionRefusal(503, {})).toBe(false);
    expect(isVersionRefusal(200, { [PEER_VERSION_HEADER]: "2" })).toBe(false);
  });
});

describe("the token of replicas", () => {
  test("replicas of one installation know each other by their token", () => {
    const { value } = derivePeerToken(secretOf(1));
    expect(derivePeerToken(secretOf(1)).check(`Bearer ${value}`)).toBe("valid");
  });

  test("a replica of another version is known, but not as one of this version", () => {
    const { value } = derivePeerToken(secretOf(1), 7);
    expect(derivePeerToken(secretOf(1), 8).check(`Bearer ${value}`)).toBe("other_version");
  });

  test("the token of another installation is invalid", () => {
    const { value } = derivePeerToken(secretOf(2));
    expect(derivePeerToken(secretOf(1)).check(`Bearer ${value}`)).toBe("invalid");
  });

  test.each([
    ["none", undefined],
    ["an empty one", ""],
    ["another scheme", "Basic 1.abc"],
    ["no version", "Bearer .abc"],
    ["no signature", "Bearer 1."],
    ["a short signature", "Bearer 1.abc"],
    ["a huge version", `Bearer ${"1".repeat(10)}.abc`],
  ])("a header with %s is invalid", (_what, header) => {
    expect(derivePeerToken(secretOf(1)).check(header)).toBe("invalid");
  });

  test("the version of a token cannot be changed into one of this version without being this version's", () => {
    const [, signature] = derivePeerToken(secretOf(1), 7).value.split(".");
    const here = derivePeerToken(secretOf(1), 8);
    expect(here.check(`Bearer 8.${signature}x`)).toBe("invalid");
    expect(here.check(`Bearer 08.${signature}`)).toBe("other_version");
  });
});

describe("the addresses of engines", () => {
  test.each(["feather/demo", "Qwen/Qwen3-8B", "org_1:acme/tiny", "a b/ü?#%"])(
    "the engine of %s has an address of its own",
    (key) => {
      const address = toEngineBaseUrl("http://10.0.0.5:4001", key);
      expect(address.startsWith(`http://10.0.0.5:4001${ENGINES_PATH}`)).toBe(true);
      const url = `${address.slice("http://10.0.0.5:4001".length)}/chat/completions?x=1`;
      expect(parseEngineUrl(url)).toEqual({ modelKey: key, path: "/v1/chat/completions?x=1" });
    },
  );

  test.each(["", "/", "/engines/", "/engines/feather%2Fdemo", "/engines//v1", "/engine/a/v1", "/engines/%E0%A4%A/v1"])(
    "%j is no address of an engine",
    (url) => expect(parseEngineUrl(url)).toBeNull(),
  );
});
