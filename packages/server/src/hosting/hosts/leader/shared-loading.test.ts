import { createTestClock } from "@feather/testing/clock";
import { describe, expect, test } from "vitest";
import type { ColdCall, Loading } from "../../../gateway/index.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { createSharedLoading, type LoadingPort } from "./shared-loading.ts";

const KEY = "feather/demo";
const HOUR_MS = 3_600_000;

const ACTOR: SignedInActor = {
  kind: "user",
  userId: "usr_1",
  organizationId: "org_1",
  role: "developer",
  isAdmin: false,
  emailVerified: true,
  scopes: ["api.access"],
  ip: "203.0.113.7",
  credential: {
    type: "key",
    id: "key_1",
    limits: {
      allowedModels: [KEY],
      ipAllowlist: [],
      maxConcurrency: 3,
      isBatch: false,
      spendLimitNano: 5n,
      limitReset: "day",
      expires: true,
    },
    delegation: { applicationId: "app_1", grantId: "grant_1" },
  },
};
const MODEL: ColdCall["model"] = {
  id: KEY,
  key: KEY,
  classId: "qwen3-8b",
  cost: 1,
  parameterSize: null,
  contextLength: 2_048,
  maxCompletionTokens: null,
  inputModalities: ["text"],
  isGated: false,
  planIds: null,
  isDisabled: false,
  organizationId: null,
};
const CALL: ColdCall = { actor: ACTOR, model: MODEL };

/** Two replicas, of which the first one leads: calls of the other one reach it through JSON. */
function createReplicas() {
  const leaderClock = createTestClock("2026-03-01T12:00:00Z");
  const otherClock = createTestClock("2026-03-01T13:00:00Z");
  const requests: { does: "wake" | "state"; key: string; call: ColdCall | undefined }[] = [];
  const answer = { loading: null as Loading | null, problem: null as string | null, error: null as Error | null };
  const reply = (does: "wake" | "state") => async (key: string, call?: ColdCall) => {
    requests.push({ does, key, call });
    if (answer.error) throw answer.error;
    return answer.loading;
  };
  const local: LoadingPort = {
    host: { wake: reply("wake"), state: reply("state"), loadingProblem: () => answer.problem },
    request: () => expect.unreachable("It was requested directly."),
  };
  const unused: LoadingPort = {
    host: {
      wake: () => expect.unreachable("It was loaded here."),
      state: () => expect.unreachable("It was read here."),
    },
    request: () => expect.unreachable("It was requested here."),
  };
  const nobody = { askLeader: () => expect.unreachable("The leader requests the leader.") };
  const leader = createSharedLoading({ replicas: { isLeader: () => true }, peers: nobody, local, clock: leaderClock });
  const [peerAnswer] = leader.peerAnswers;
  const other = createSharedLoading({
    replicas: { isLeader: () => false },
    peers: {
      async askLeader(call, input) {
        const body: unknown = JSON.parse(JSON.stringify(input));
        return call.output.parse(JSON.parse(JSON.stringify(await peerAnswer?.answer(body))));
      },
    },
    local: unused,
    clock: otherClock,
  });
  return { leader, other, requests, answer, leaderClock, otherClock };
}

describe("a call to a model that is not loaded, at a replica that does not lead", () => {
  test("the leader loads the model, and the replica reports its progress by its own clock", async () => {
    const { other, requests, answer, leaderClock, otherClock } = createReplicas();
    answer.loading = {
      tier: "loading",
      stage: "weights",
      progress: 0.5,
      reason: null,
      readyAt: new Date(leaderClock.at + 5_000),
    };
    expect(otherClock.at - leaderClock.at).toBe(HOUR_MS);
    expect(await other.request(CALL)).toEqual({ ...answer.loading, readyAt: new Date(otherClock.at + 5_000) });
    expect(requests).toMatchObject([{ does: "wake", key: KEY }]);
  });

  test("the leader gets the caller without the limits of the key, which the replica has checked", async () => {
    const { other, requests } = createReplicas();
    await other.request(CALL);
    expect(requests[0]?.call?.model).toEqual(MODEL);
    expect(requests[0]?.call?.actor).toEqual({
      ...ACTOR,
      credential: {
        ...ACTOR.credential,
        limits: {
          allowedModels: [],
          ipAllowlist: [],
          maxConcurrency: null,
          isBatch: false,
          spendLimitNano: null,
          limitReset: "none",
          expires: false,
        },
      },
    });
  });

  test.each<SignedInActor["credential"]>([
    { type: "session", id: "ses_1", impersonatedBy: "usr_2" },
    { type: "oauth", id: "tok_1", delegation: { applicationId: "app_1", grantId: "grant_1" } },
    { type: "deployment", id: "dep_1" },
  ])("the leader gets the credential of the caller: $type", async (credential) => {
    const { other, requests } = createReplicas();
    const { ip: _, ...withoutAddress } = ACTOR;
    await other.request({ actor: { ...withoutAddress, credential }, model: MODEL });
    expect(requests[0]?.call?.actor).toEqual({ ...withoutAddress, credential });
  });

  test("reading the progress of a model does not load it", async () => {
    const { other, requests, answer } = createReplicas();
    answer.loading = { tier: "cold", stage: null, progress: null, reason: null, readyAt: null };
    expect(await other.host.state(KEY)).toEqual(answer.loading);
    expect(requests).toEqual([{ does: "state", key: KEY, call: undefined }]);
  });

  test("progress that the leader does not know is null, not missing", async () => {
    const { other, answer } = createReplicas();
    answer.loading = { tier: "loading", stage: "starting", readyAt: null };
    expect(await other.host.wake(KEY)).toEqual({
      tier: "loading",
      stage: "starting",
      progress: null,
      reason: null,
      readyAt: null,
    });
  });

  test("why a model cannot be loaded is known from the leader's last answer about it", async () => {
    const { other, answer } = createReplicas();
    expect(other.host.loadingProblem?.(KEY)).toBeNull();
    answer.problem = "It is too large.";
    await other.host.wake(KEY);
    expect([other.host.loadingProblem?.(KEY), other.host.loadingProblem?.("acme/other")]).toEqual([
      "It is too large.",
      null,
    ]);
    answer.problem = null;
    await other.host.state(KEY);
    expect(other.host.loadingProblem?.(KEY)).toBeNull();
  });

  test("an error of the leader for the caller is thrown", async () => {
    const { other, answer } = createReplicas();
    answer.error = errors.hub.gated({ model: KEY });
    await expect(other.request(CALL)).rejects.toMatchObject({ code: "hub.gated" });
  });
});

describe("a call to a model that is not loaded, at the leader", () => {
  test("the leader loads models itself, with the caller as it is", async () => {
    const { leader, requests, answer } = createReplicas();
    answer.problem = "It is too large.";
    await leader.request(CALL);
    await leader.host.state(KEY);
    expect(requests).toEqual([
      { does: "wake", key: KEY, call: CALL },
      { does: "state", key: KEY, call: undefined },
    ]);
    expect(leader.host.loadingProblem?.(KEY)).toBe("It is too large.");
  });

  test.each([
    ["no model", { key: KEY, starts: true, call: { actor: ACTOR } }],
    [
      "a role that does not exist",
      { key: KEY, starts: true, call: { actor: { ...ACTOR, role: "owner" }, model: MODEL } },
    ],
    ["no key", { starts: true, call: null }],
  ])("a request of another replica with %s is refused, and nothing is loaded", async (_what, request) => {
    const { leader, requests } = createReplicas();
    const body: unknown = JSON.parse(
      JSON.stringify(request, (_name, value) => (typeof value === "bigint" ? "5" : value)),
    );
    await expect(leader.peerAnswers[0]?.answer(body)).rejects.toThrow();
    expect(requests).toEqual([]);
  });
});
