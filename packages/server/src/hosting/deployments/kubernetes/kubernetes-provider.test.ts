import { type FakeKubernetes, startFakeKubernetes } from "@feather/testing/fake-kubernetes";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { nameOf } from "./objects.ts";
import { testGroups } from "./testing/group-behaviour.ts";
import { testProvider } from "./testing/provider-behaviour.ts";
import {
  allReady,
  converge,
  createOutsider,
  createOwner,
  createTarget,
  poll,
  remove,
  startProvider,
  type TestCluster,
} from "./testing/test-cluster.ts";

const IMAGES = { engineImage: "docker.io/local/feather-engine:1", vllmImage: "docker.io/local/vllm:1" };
let fake: FakeKubernetes;
let cluster: TestCluster;

beforeAll(async () => {
  fake = await startFakeKubernetes({ namespace: "feather", images: Object.values(IMAGES) });
  cluster = { kubeconfig: fake.kubeconfig, serverKubeconfig: fake.kubeconfig, namespace: "feather", ...IMAGES };
});
afterAll(() => fake.close());

describe("with a stand-in for the cluster", () => testProvider(() => cluster));
describe("over several nodes, with a stand-in for the cluster", () => testGroups(() => cluster));

describe("without LeaderWorkerSets in the cluster", () => {
  const problem =
    "The cluster has no LeaderWorkerSet: install it (https://lws.sigs.k8s.io), or choose a kind of machine of one node.";

  async function startBare() {
    const bare = await startFakeKubernetes({
      namespace: "feather",
      images: Object.values(IMAGES),
      hasLeaderWorkerSets: false,
    });
    onTestFinished(() => bare.close());
    return { bare, cluster: { ...cluster, kubeconfig: bare.kubeconfig, serverKubeconfig: bare.kubeconfig } };
  }

  test("without LeaderWorkerSets, deployments on one node run, and those on several report what must be installed", async () => {
    const { bare, cluster: without } = await startBare();
    const { provider, warnings, logged } = startProvider(without, createOwner());
    const one = createTarget();
    await converge(provider, one, allReady(one));
    const several = createTarget({ instanceType: "two-nodes" });
    await provider.apply(several);
    expect(await provider.observe(several.id)).toMatchObject({ replicas: [], problem });
    expect([warnings, logged]).toEqual([[problem], []]);
    bare.installLeaderWorkerSets();
    const { problem: later } = await converge(provider, several, allReady(several));
    expect(later).toBeNull();
    for (const { id } of [one, several]) await remove(provider, id);
  });

  test("without LeaderWorkerSets, a deployment whose hardware changes to several nodes keeps its running pods", async () => {
    const { cluster: without } = await startBare();
    const { provider } = startProvider(without, createOwner());
    const target = createTarget();
    await converge(provider, target, allReady(target));
    const several = { ...target, generation: 2, spec: { ...target.spec, instanceType: "two-nodes" } };
    await provider.apply(several);
    expect(await provider.observe(target.id)).toMatchObject({ problem, replicas: [{ state: "ready", generation: 1 }] });
    await remove(provider, target.id);
  });

  test("a provider that may not read LeaderWorkerSets runs deployments on one node, and reports the missing right for several", async () => {
    const { bare, cluster: without } = await startBare();
    bare.installLeaderWorkerSets();
    const message = "leaderworkersets.leaderworkerset.x-k8s.io is forbidden: User x cannot patch resource";
    bare.fail({ path: "/leaderworkersets", answer: { status: 403, reason: "Forbidden", message } });
    const { provider } = startProvider(without, createOwner());
    const one = createTarget();
    await converge(provider, one, allReady(one));
    const several = createTarget({ instanceType: "two-nodes" });
    await provider.apply(several);
    expect((await provider.observe(several.id))?.problem).toBe(`The cluster does not allow it: ${message}`);
    for (const { id } of [one, several]) await remove(provider, id);
  });
});

describe("while the API server", () => {
  const status = (code: number, reason: string, message: string) => ({ status: code, reason, message });
  test.each([
    [
      "forbids it",
      status(403, "Forbidden", 'deployments.apps is forbidden: User "x" cannot patch'),
      /does not allow it/,
    ],
    [
      "has a used-up quota",
      status(403, "Forbidden", "exceeded quota: gpus"),
      /The quota of the namespace feather is used up/,
    ],
    [
      "sees a conflict",
      status(409, "Conflict", "Apply failed with 1 conflict"),
      /The cluster refused the deployment: Apply failed/,
    ],
    ["has too many requests", { ...status(429, "TooManyRequests", "slow down"), retryAfter: 1 }, /too many requests/],
    ["has an internal error", status(500, "InternalError", "etcd is gone"), /an internal error \(500 InternalError\)/],
    ["does not answer", "nothing", /cannot be reached: it gave no answer in time/],
    ["breaks off", "broken-connection", /cannot be reached/],
  ] as const)(
    "while the API server %s, a deployment reports the problem, and it starts when the problem ends",
    async (_name, answer, words) => {
      const { provider, warnings } = startProvider(cluster, createOwner());
      const target = createTarget();
      const end = fake.fail({ method: "PATCH", path: nameOf(target.id), answer });
      await poll(async () => {
        await provider.apply(target);
        expect((await provider.observe(target.id))?.problem).toMatch(words);
      });
      expect(warnings).toHaveLength(1);
      end();
      const { problem } = await converge(provider, target, allReady(target));
      expect(problem).toBeNull();
      await remove(provider, target.id);
    },
  );

  test("while the API server cannot be reached from the start, the provider deletes nothing, and adopts everything later", async () => {
    const owner = createOwner();
    const first = startProvider(cluster, owner);
    const target = createTarget();
    await converge(first.provider, target, allReady(target));
    await first.provider.stop();
    const end = fake.fail({ method: "GET", answer: "broken-connection" });
    const second = startProvider(cluster, owner);
    const observed = await second.provider.observe(target.id);
    expect(observed).toMatchObject({ replicas: [], problem: expect.stringContaining("cannot be reached") });
    expect(await second.provider.list()).toEqual([]);
    end();
    await converge(second.provider, target, allReady(target));
    expect(second.logged).toEqual(["the cluster cannot be read", "the cluster can be read again"]);
    await remove(second.provider, target.id);
  });

  test("while the API server cannot be reached, pods that were ready stay ready", async () => {
    const { provider } = startProvider(cluster, createOwner());
    const target = createTarget();
    await converge(provider, target, allReady(target));
    const end = fake.fail({ answer: "broken-connection" });
    fake.breakWatches();
    allReady(target)((await provider.observe(target.id)) as never);
    end();
    await remove(provider, target.id);
  });
});

describe("a watch", () => {
  test("a watch whose connection breaks continues from the last change, without a new list", async () => {
    const { provider } = startProvider(cluster, createOwner());
    const target = createTarget();
    const { replicas } = await converge(provider, target, allReady(target));
    const lists = () => fake.requests.filter(({ method, url }) => method === "GET" && url.includes("limit=")).length;
    const before = lists();
    const end = fake.fail({ path: "watch=true", answer: "broken-connection" });
    fake.breakWatches();
    await createOutsider(cluster).deletePod(replicas[0]?.name ?? "");
    end();
    await converge(provider, target, (observed) => {
      allReady(target)(observed);
      expect(observed.replicas[0]?.name).not.toBe(replicas[0]?.name);
    });
    expect(lists()).toBe(before);
    await remove(provider, target.id);
  });

  test("an expired watch starts again from a new list, which also reveals what was deleted meanwhile", async () => {
    const { provider } = startProvider(cluster, createOwner());
    const target = createTarget();
    await converge(provider, target, allReady(target));
    const end = fake.fail({ path: "watch=true", answer: "broken-connection" });
    fake.breakWatches();
    await createOutsider(cluster).deleteDeployment(target.id);
    await poll(async () => expect(fake.store.get("deployments", nameOf(target.id))).toBeUndefined());
    fake.expireWatches();
    end();
    await poll(async () => expect((await provider.observe(target.id))?.generation).toBe(0));
    await converge(provider, target, allReady(target));
    await remove(provider, target.id);
  });
});

test("a network policy that is not to be there any more is deleted although the API server fails at first", async () => {
  const owner = createOwner();
  const target = createTarget({ instanceType: "two-nodes" });
  const first = startProvider(cluster, owner, { groupPolicies: "on" });
  await converge(first.provider, target, allReady(target));
  await first.provider.stop();
  const answer = { status: 500, reason: "InternalError", message: "etcd is gone" };
  fake.fail({ method: "DELETE", path: "/networkpolicies/", answer, times: 1 });
  const { provider, warnings } = startProvider(cluster, owner);
  await converge(provider, target, async (observed) => {
    allReady(target)(observed);
    expect(await createOutsider(cluster).policies(owner)).toEqual([]);
  });
  expect(warnings).toEqual([expect.stringMatching(/internal error/)]);
  await remove(provider, target.id);
});

// The cluster of `npm run test:kubernetes` enforces no limits of memory.
test("a deployment reports that a pod was ended because it exceeded its memory limit", async () => {
  const { provider } = startProvider(cluster, createOwner());
  const target = createTarget({ instanceType: "tiny" });
  const reason = "It needed more memory than it may have (32Mi), and was ended.";
  await converge(provider, target, ({ replicas }) =>
    expect(replicas).toEqual([expect.objectContaining({ state: "failed", reason })]),
  );
  await remove(provider, target.id);
});

test("a deployment reports the cluster's message when a quota prevents new pods", async () => {
  const { provider } = startProvider(cluster, createOwner(), { vllmImage: "docker.io/local/missing:1" });
  const target = createTarget();
  await converge(provider, target, ({ replicas }) => expect(replicas).toHaveLength(1));
  fake.refusePods(nameOf(target.id), "pods is forbidden: exceeded quota: gpus");
  await poll(async () =>
    expect((await provider.observe(target.id))?.problem).toBe(
      "The cluster makes no pod: pods is forbidden: exceeded quota: gpus",
    ),
  );
  await remove(provider, target.id);
});

test("a deployment without objects in the cluster is removed at once", async () => {
  const { provider } = startProvider(cluster, createOwner());
  const target = createTarget();
  const answer = { status: 403, reason: "Forbidden", message: "no" };
  const end = fake.fail({ method: "PATCH", path: nameOf(target.id), answer });
  await provider.apply(target);
  expect((await provider.observe(target.id))?.problem).toMatch(/does not allow it/);
  await provider.remove(target.id);
  expect(await provider.observe(target.id)).toBeNull();
  end();
});

test("removing a deployment notifies listeners about each deleted object, not about each request to remove it", async () => {
  const { provider } = startProvider(cluster, createOwner());
  const target = createTarget();
  await converge(provider, target, allReady(target));
  await remove(provider, target.id);
  const reported: string[] = [];
  provider.onChange((id) => void reported.push(id));
  await provider.remove(target.id);
  expect(reported).toEqual([]);
});
