import { expect, test } from "vitest";
import type { Observed } from "../../provider.ts";
import { nameOf } from "../objects.ts";
import {
  allReady,
  chat,
  converge,
  createOutsider,
  createOwner,
  createTarget,
  poll,
  remove,
  startProvider,
  type TestCluster,
} from "./test-cluster.ts";

const GROUPS = { instanceType: "two-nodes" };

/** Defines the tests of replicas over several nodes that hold for every cluster with LeaderWorkerSets, real or not. */
export function testGroups(openCluster: () => TestCluster): void {
  test("two pods are one replica, of which only the leader receives calls and has the key", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const { provider } = startProvider(cluster, owner);
    const target = createTarget(GROUPS);
    const { replicas } = await converge(provider, target, allReady(target));
    expect(replicas.map(({ name }) => name)).toEqual([`${nameOf(target.id)}-0`]);
    const { endpoint } = replicas[0] ?? {};
    expect(await chat(endpoint ?? { baseUrl: "" }, "acme/works")).toMatchObject({ status: 200 });
    expect(await chat({ baseUrl: endpoint?.baseUrl ?? "" }, "acme/works")).toMatchObject({ status: 401 });
    const pods = (await createOutsider(cluster).pods(owner)).sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(pods.map(({ variables }) => variables.includes("VLLM_API_KEY"))).toEqual([true, false]);
    await remove(provider, target.id);
    expect(await createOutsider(cluster).leftovers(owner)).toEqual([]);
  });

  test("each deployment over several nodes has a network policy of its own, until policies are switched off", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const outsider = createOutsider(cluster);
    const first = startProvider(cluster, owner, { groupPolicies: "on" });
    const targets = [createTarget(GROUPS), createTarget(GROUPS)];
    for (const target of targets) await converge(first.provider, target, allReady(target));
    expect((await outsider.policies(owner)).sort()).toEqual(targets.map(({ id }) => nameOf(id)).sort());
    await first.provider.stop();
    const second = startProvider(cluster, owner);
    for (const target of targets) await converge(second.provider, target, allReady(target));
    await poll(async () => expect(await outsider.policies(owner)).toEqual([]));
    for (const { id } of targets) await remove(second.provider, id);
  });

  test("applying the same groups again changes nothing, not even by a server that was restarted", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const first = startProvider(cluster, owner);
    const target = createTarget(GROUPS);
    const before = await converge(first.provider, target, allReady(target));
    const uids = async () => (await createOutsider(cluster).pods(owner)).map(({ uid }) => uid).sort();
    const podsBefore = await uids();
    await first.provider.stop();
    const second = startProvider(cluster, owner);
    expect(await second.provider.list()).toEqual([target.id]);
    expect((await second.provider.observe(target.id))?.replicas).toEqual(before.replicas);
    await converge(second.provider, target, allReady(target));
    expect(await uids()).toEqual(podsBefore);
    await remove(second.provider, target.id);
  });

  test("a LeaderWorkerSet that others change or delete is restored", async () => {
    const cluster = openCluster();
    const { provider } = startProvider(cluster, createOwner());
    const outsider = createOutsider(cluster);
    const target = createTarget(GROUPS);
    await converge(provider, target, allReady(target));
    await outsider.patchLeaderWorkerSet(target.id, { spec: { replicas: 0 } });
    await poll(async () => expect((await provider.observe(target.id))?.generation).toBe(0));
    await converge(provider, target, allReady(target));
    expect(await outsider.readLeaderWorkerSet(target.id)).toMatchObject({ spec: { replicas: 1 } });
    await outsider.deleteLeaderWorkerSet(target.id);
    await poll(async () => expect((await provider.observe(target.id))?.generation).toBe(0));
    await converge(provider, target, allReady(target));
    await remove(provider, target.id);
  });

  test("the number of groups follows the target, to zero and up again", async () => {
    const { provider } = startProvider(openCluster(), createOwner());
    const target = createTarget(GROUPS);
    for (const replicas of [2, 0, 1])
      await converge(provider, { ...target, replicas }, allReady({ ...target, replicas }));
    await remove(provider, target.id);
  });

  test("a new generation replaces groups, and one of them is always ready", async () => {
    const { provider } = startProvider(openCluster(), createOwner());
    const target = createTarget(GROUPS);
    await converge(provider, target, allReady(target));
    const next = { ...target, generation: 2, spec: { ...target.spec, engineArgs: { max_model_len: 1024 } } };
    expect(await countReady(provider, next)).not.toContain(0);
    await remove(provider, target.id);
  });

  test("when a worker ends, its group is replaced and answers again", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const { provider } = startProvider(cluster, owner);
    const target = createTarget(GROUPS);
    await converge(provider, target, allReady(target));
    const outsider = createOutsider(cluster);
    const before = (await outsider.pods(owner)).map(({ uid }) => uid);
    await outsider.deletePod(`${nameOf(target.id)}-0-1`);
    await converge(provider, target, async (observed) => {
      const after = await outsider.pods(owner);
      expect(after).toHaveLength(2);
      expect(after.filter(({ uid }) => before.includes(uid))).toEqual([]);
      allReady(target)(observed);
      expect((await chat(observed.replicas[0]?.endpoint ?? { baseUrl: "" }, "acme/works")).status).toBe(200);
    });
    await remove(provider, target.id);
  });

  test("a deployment moves from one node to several and back, and a replica is ready all the time", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const { provider } = startProvider(cluster, owner);
    const outsider = createOutsider(cluster);
    const one = createTarget();
    await converge(provider, one, allReady(one));
    const several = { ...one, generation: 2, spec: { ...one.spec, ...GROUPS } };
    expect(await countReady(provider, several)).not.toContain(0);
    await poll(async () => expect(await outsider.workloads(owner)).toEqual(["LeaderWorkerSet"]));
    const back = { ...one, generation: 3 };
    expect(await countReady(provider, back)).not.toContain(0);
    await poll(async () => expect(await outsider.workloads(owner)).toEqual(["Deployment"]));
    await remove(provider, one.id);
    expect(await outsider.leftovers(owner)).toEqual([]);
  });

  test("a deployment that moves to one node keeps its network policy until its groups are replaced", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const outsider = createOutsider(cluster);
    const { provider } = startProvider(cluster, owner, { groupPolicies: "on" });
    const several = createTarget(GROUPS);
    await converge(provider, several, allReady(several));
    const missing = { ...several, generation: 2, spec: { ...several.spec, instanceType: "gpu" } };
    await converge(provider, missing, ({ replicas }) => expect(replicas).toHaveLength(2));
    expect(await outsider.policies(owner)).toEqual([nameOf(several.id)]);
    const one = { ...several, generation: 3, spec: { ...several.spec, instanceType: "vllm" } };
    await converge(provider, one, allReady(one));
    await poll(async () => expect(await outsider.policies(owner)).toEqual([]));
    await remove(provider, several.id);
  });

  test("a deployment reports why a worker ended, even after its pod was deleted", async () => {
    const { provider } = startProvider(openCluster(), createOwner());
    const target = createTarget({ ...GROUPS, modelKey: "acme/worker-fails" });
    const reason = /^The program that runs the model ended \(exit status 1\): ValueError: Free memory on device/;
    await converge(provider, target, ({ replicas }) =>
      expect(replicas).toEqual([
        expect.objectContaining({
          name: `${nameOf(target.id)}-0`,
          state: "failed",
          reason: expect.stringMatching(reason),
        }),
      ]),
    );
    await remove(provider, target.id);
  });

  test("a deployment on several nodes reports that an image is missing", async () => {
    const { provider } = startProvider(openCluster(), createOwner(), { vllmImage: "docker.io/local/missing:1" });
    const target = createTarget(GROUPS);
    const reason = "The image docker.io/local/missing:1 is not on the node, and must not be pulled there.";
    await converge(provider, target, ({ replicas }) =>
      expect(replicas).toEqual([expect.objectContaining({ state: "failed", reason })]),
    );
    await remove(provider, target.id);
  });

  test("an update of groups to an image that is missing keeps the ready group, and goes away once the setting is corrected", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const target = createTarget(GROUPS);
    const first = startProvider(cluster, owner);
    await converge(first.provider, target, allReady(target));
    await first.provider.stop();
    const second = startProvider(cluster, owner, { vllmImage: "docker.io/local/missing:1" });
    await converge(second.provider, target, ({ replicas }) =>
      expect(replicas.map(({ state }) => state).sort()).toEqual(["failed", "ready"]),
    );
    await second.provider.stop();
    const third = startProvider(cluster, owner);
    await converge(third.provider, target, allReady(target));
    await remove(third.provider, target.id);
  });

  test("the logs of all pods of a group can be read", async () => {
    const { provider } = startProvider(openCluster(), createOwner());
    const target = createTarget(GROUPS);
    await converge(provider, target, allReady(target));
    const name = nameOf(target.id);
    await poll(async () => {
      const lines = (await provider.logs(target.id, 200)).filter(({ text }) => !text.startsWith("["));
      expect([...new Set(lines.map(({ replica }) => replica))].sort()).toEqual([`${name}-0`, `${name}-0-1`]);
    });
    await remove(provider, target.id);
  });
}

/** Converges, and returns how many replicas were ready at each observation. */
async function countReady(
  provider: Parameters<typeof converge>[0],
  target: Parameters<typeof converge>[1],
): Promise<number[]> {
  const counts: number[] = [];
  await converge(provider, target, (observed: Observed) => {
    counts.push(observed.replicas.filter(({ state }) => state === "ready").length);
    allReady(target)(observed);
  });
  return counts;
}
