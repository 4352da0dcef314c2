import { expect, test } from "vitest";
import type { Observed } from "../../provider.ts";
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

/** Defines the tests of the provider that hold for every cluster: a real one and the stand-in. */
export function testProvider(openCluster: () => TestCluster): void {
  test("a deployment becomes pods that answer only with their key, and removing it leaves no objects", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const { provider } = startProvider(cluster, owner);
    const target = createTarget();
    const { replicas } = await converge(provider, target, allReady(target));
    const [endpoint] = endpointsOf(replicas);
    expect(await chat(endpoint, "acme/works")).toMatchObject({ status: 200, text: expect.stringContaining("hello") });
    expect(await chat({ baseUrl: endpoint.baseUrl }, "acme/works")).toMatchObject({ status: 401 });
    await remove(provider, target.id);
    expect(await createOutsider(cluster).leftovers(owner)).toEqual([]);
  });

  test("the engine in a pod runs a model of its image", async () => {
    const { provider } = startProvider(openCluster(), createOwner());
    const target = createTarget({ modelKey: "feather/demo", instanceType: "cpu", engineArgs: { context: 512 } });
    const { replicas } = await converge(provider, target, allReady(target));
    const [endpoint] = endpointsOf(replicas);
    expect(endpoint.program).toBe("engine");
    expect((await chat(endpoint, "feather/demo")).status).toBe(200);
    await remove(provider, target.id);
  });

  test("applying the same target again changes nothing, even by a restarted server", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const first = startProvider(cluster, owner);
    const target = createTarget();
    const before = await converge(first.provider, target, allReady(target));
    const versions = await createOutsider(cluster).versions(owner);
    await first.provider.apply(target);
    await first.provider.stop();
    const second = startProvider(cluster, owner);
    expect(await second.provider.list()).toEqual([target.id]);
    // The new provider reads the same pods with the same key, before it has applied anything.
    expect((await second.provider.observe(target.id))?.replicas).toEqual(before.replicas);
    await converge(second.provider, target, allReady(target));
    expect(await createOutsider(cluster).versions(owner)).toEqual(versions);
    await remove(second.provider, target.id);
  });

  test("objects that others change are restored", async () => {
    const cluster = openCluster();
    const { provider } = startProvider(cluster, createOwner());
    const outsider = createOutsider(cluster);
    const target = createTarget();
    await converge(provider, target, allReady(target));
    await outsider.patchDeployment(target.id, { spec: { replicas: 3 } });
    await outsider.patchService(target.id, { metadata: { labels: { "feather/organization": "org_other" } } });
    await poll(async () => expect((await provider.observe(target.id))?.generation).toBe(0));
    await converge(provider, target, allReady(target));
    expect((await outsider.readDeployment(target.id)).spec?.replicas).toBe(1);
    expect((await outsider.readService(target.id)).metadata?.labels?.["feather/organization"]).toBe("org_1");
    await outsider.deleteService(target.id);
    await poll(async () => expect((await provider.observe(target.id))?.generation).toBe(0));
    await converge(provider, target, allReady(target));
    expect((await outsider.readService(target.id)).spec?.clusterIP ?? "None").toBe("None");
    await remove(provider, target.id);
  });

  test("a Secret that others delete is restored with the same key, so that the pods run on", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const { provider } = startProvider(cluster, owner);
    const outsider = createOutsider(cluster);
    const target = createTarget();
    const before = await converge(provider, target, allReady(target));
    const pods = await outsider.pods(owner);
    await outsider.deleteSecret(target.id);
    await poll(async () => expect((await provider.observe(target.id))?.generation).toBe(0));
    const after = await converge(provider, target, allReady(target));
    expect(after.replicas).toEqual(before.replicas);
    expect(await outsider.pods(owner)).toEqual(pods);
    expect((await chat(endpointsOf(after.replicas)[0], "acme/works")).status).toBe(200);
    await remove(provider, target.id);
  });

  test("the number of pods follows the target, to zero and up again", async () => {
    const { provider } = startProvider(openCluster(), createOwner());
    const target = createTarget();
    for (const replicas of [2, 0, 1])
      await converge(provider, { ...target, replicas }, allReady({ ...target, replicas }));
    await remove(provider, target.id);
  });

  test("a new generation replaces pods one at a time, and one of them is always ready", async () => {
    const { provider } = startProvider(openCluster(), createOwner());
    const target = createTarget();
    await converge(provider, target, allReady(target));
    const next = { ...target, generation: 2, spec: { ...target.spec, engineArgs: { max_model_len: 1024 } } };
    const readyCounts: number[] = [];
    await converge(provider, next, (observed) => {
      readyCounts.push(observed.replicas.filter(({ state }) => state === "ready").length);
      allReady(next)(observed);
    });
    expect(Math.min(...readyCounts)).toBeGreaterThan(0);
    await remove(provider, target.id);
  });

  test("a deleted pod is replaced", async () => {
    const cluster = openCluster();
    const { provider } = startProvider(cluster, createOwner());
    const target = createTarget();
    const { replicas } = await converge(provider, target, allReady(target));
    const [{ name } = { name: "" }] = replicas;
    await createOutsider(cluster).deletePod(name);
    await converge(provider, target, (observed) => {
      allReady(target)(observed);
      expect(observed.replicas[0]?.name).not.toBe(name);
    });
    await remove(provider, target.id);
  });

  test("a deployment reports that an image is missing", async () => {
    const { provider } = startProvider(openCluster(), createOwner(), { vllmImage: "docker.io/local/missing:1" });
    const target = createTarget();
    const reason = "The image docker.io/local/missing:1 is not on the node, and must not be pulled there.";
    await converge(provider, target, expectReplica("failed", reason));
    await remove(provider, target.id);
  });

  test("an update to an image that is missing keeps the ready pod, and goes away once the setting is corrected", async () => {
    const cluster = openCluster();
    const owner = createOwner();
    const target = createTarget();
    const first = startProvider(cluster, owner);
    const before = await converge(first.provider, target, allReady(target));
    await first.provider.stop();
    const second = startProvider(cluster, owner, { vllmImage: "docker.io/local/missing:1" });
    await converge(second.provider, target, ({ replicas }) =>
      expect(replicas.map(({ state }) => state).sort()).toEqual(["failed", "ready"]),
    );
    await second.provider.stop();
    const third = startProvider(cluster, owner);
    const after = await converge(third.provider, target, allReady(target));
    expect(after.replicas).toEqual(before.replicas);
    await remove(third.provider, target.id);
  });

  test("a deployment reports that no node has the GPU", async () => {
    const { provider } = startProvider(openCluster(), createOwner());
    const target = createTarget({ instanceType: "gpu" });
    const reason = "No node has room for it: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu.";
    await converge(provider, target, expectReplica("starting", reason));
    await remove(provider, target.id);
  });

  test("a deployment reports why the program ended, from its log", async () => {
    const { provider } = startProvider(openCluster(), createOwner());
    const target = createTarget({ modelKey: "acme/out-of-memory" });
    const reason = /^The program that runs the model ended \(exit status 1\): ValueError: Free memory on device/;
    await converge(provider, target, expectReplica("failed", expect.stringMatching(reason)));
    expect(await provider.logs(target.id, 50)).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining("ValueError: Free memory on device") }),
    );
    await remove(provider, target.id);
  });

  test("the log of a pod can be read and followed", async () => {
    const { provider } = startProvider(openCluster(), createOwner());
    const target = createTarget();
    const followed: string[] = [];
    let ended = false;
    const { replicas } = await converge(provider, target, allReady(target));
    const stop = provider.follow(
      target.id,
      ({ text }) => void followed.push(text),
      () => {
        ended = true;
      },
    );
    const lines = await provider.logs(target.id, 100);
    expect(lines.map(({ text }) => text).join("\n")).toContain("Application startup complete.");
    expect(
      lines.every(({ replica }) => replica.startsWith(replicas[0]?.name.split("-").slice(0, 2).join("-") ?? "?")),
    ).toBe(true);
    await remove(provider, target.id);
    await poll(async () => expect(ended).toBe(true));
    stop();
  });

  test("an installation neither lists nor removes objects of another installation", async () => {
    const cluster = openCluster();
    const mine = startProvider(cluster, createOwner());
    const theirs = startProvider(cluster, createOwner());
    const target = createTarget();
    await converge(mine.provider, target, allReady(target));
    expect(await theirs.provider.list()).toEqual([]);
    await theirs.provider.remove(target.id);
    expect(await theirs.provider.observe(target.id)).toBeNull();
    await converge(mine.provider, target, allReady(target));
    await remove(mine.provider, target.id);
  });

  test("a deployment reports that the namespace does not exist", async () => {
    const cluster = openCluster();
    // The admin's kubeconfig, since the server's account gets 403 instead of 404 for a missing namespace.
    const changes = { namespace: "missing", connection: cluster.kubeconfig };
    const { provider, warnings } = startProvider(cluster, createOwner(), changes);
    const target = createTarget();
    const problem = "The namespace missing does not exist in the cluster.";
    await poll(async () => {
      await provider.apply(target);
      expect(await provider.observe(target.id)).toMatchObject({ replicas: [], problem });
    });
    expect(warnings).toEqual([problem]);
    await remove(provider, target.id);
  });
}

function endpointsOf(replicas: Observed["replicas"]) {
  return replicas.flatMap(({ endpoint }) => (endpoint ? [endpoint] : [])) as [
    NonNullable<Observed["replicas"][number]["endpoint"]>,
  ];
}

const expectReplica =
  (state: string, reason: unknown) =>
  ({ replicas }: Observed): void =>
    expect(replicas).toEqual([expect.objectContaining({ state, reason })]);
