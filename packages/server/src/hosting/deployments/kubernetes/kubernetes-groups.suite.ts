import { describe, expect, inject, test } from "vitest";
import { testGroups } from "./testing/group-behaviour.ts";
import {
  allReady,
  converge,
  createOutsider,
  createOwner,
  createTarget,
  remove,
  startProvider,
} from "./testing/test-cluster.ts";

describe("with a real controller of LeaderWorkerSets and two nodes", () => {
  testGroups(() => inject("cluster"));

  test("the pods of a group run on different nodes, which pods of other groups may share", async () => {
    const owner = createOwner();
    const { provider } = startProvider(inject("cluster"), owner);
    const target = { ...createTarget({ instanceType: "two-nodes" }), replicas: 2 };
    await converge(provider, target, allReady(target));
    const pods = await createOutsider(inject("cluster")).pods(owner);
    const nodesOf = (group: number) =>
      pods.filter(({ name }) => /-(\d)(-1)?$/.exec(name)?.[1] === String(group)).map(({ node }) => node);
    expect(pods).toHaveLength(4);
    expect(new Set(nodesOf(0)).size).toBe(2);
    expect(nodesOf(1).sort()).toEqual(nodesOf(0).sort());
    await remove(provider, target.id);
  });
});
