import { buildPage } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const deployment = {
  id: "dep_1",
  organization_id: "org_1",
  name: "support-bot",
  model_id: "Qwen/Qwen3-32B",
  state: "scaled_to_zero",
  ready_replicas: 0,
  desired_replicas: 2,
  created_at: "2026-11-20T12:00:00.000Z",
  updated_at: "2026-11-21T10:00:00.000Z",
};
const details = {
  provider_id: "local",
  region: "here",
  instance_type: "cpu",
  revision: null,
  min_replicas: 0,
  max_replicas: 2,
  scale_to_zero_after_s: 3600,
  autoscale: { metric: "pending_requests", target: 4 },
  visibility: "private",
  state_reason: null,
  url: "http://feather/deployments/dep_1/v1",
  organization: { id: "org_1", name: "Winter Press" },
  creator: { id: "usr_1", name: "Maria Winter", email: "maria@example.com" },
};
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/deployments": () => ({ body: buildPage([deployment]) }),
  "GET /admin/deployments/dep_1": () => ({ body: { ...deployment, ...details } }),
  "POST /admin/deployments/redeploy": ({ body }) => ({
    body: {
      results: (body as { ids: string[] }).ids.map((id) => {
        const ok = id === "dep_1";
        return { id, ok, error: ok ? null : "It is paused." };
      }),
    },
  }),
});

test("lists the deployments of all organizations", async () => {
  expect((await runInteractive("admin deployments list")).out).toMatch(
    /support-bot +Qwen\/Qwen3-32B +scaled to zero +0 of 2 +org_1 +2 hours ago +dep_1\n/,
  );
  expect((await run("admin deployments list")).out).toBe(
    "support-bot\tQwen/Qwen3-32B\tscaled_to_zero\t0/2\torg_1\t2026-11-21T10:00:00.000Z\tdep_1\n",
  );
  expect(JSON.parse((await run("admin deployments list --json id,state")).out)).toEqual([
    { id: "dep_1", state: "scaled_to_zero" },
  ]);
});

test("shows a deployment with its organization and creator", async () => {
  const { code, out } = await run("admin deployments show dep_1");
  expect(code).toBe(0);
  for (const line of [
    "name\tsupport-bot",
    "organization\tWinter Press (org_1)",
    "made by\tMaria Winter <maria@example.com>",
  ])
    expect(out.split("\n")).toContain(line);
  expect(JSON.parse((await run("admin deployments show dep_1 --json id,organization")).out)).toEqual({
    id: "dep_1",
    organization: { id: "org_1", name: "Winter Press" },
  });
});

test("redeploys several deployments, and exits with 5 when one fails", async () => {
  expect(await run("admin deployments redeploy dep_1 --yes")).toMatchObject({ code: 0, out: "dep_1\tbegun\n" });
  const { code, out, err } = await run("admin deployments redeploy dep_1 dep_2 --yes");
  expect([code, out]).toEqual([5, "dep_1\tbegun\ndep_2\tIt is paused.\n"]);
  expect(err).toContain("not begun: dep_2");
  expect(requests().map(({ body }) => body)).toEqual([{ ids: ["dep_1"] }, { ids: ["dep_1", "dep_2"] }]);
});

test.each([
  ["admin deployments redeploy", "missing required argument"],
  ["admin deployments redeploy dep_1", "--yes"],
])("%s is rejected before any request is sent", async (line, message) => {
  const { code, err } = await run(line);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(requests()).toEqual([]);
});

test("the command needs a sign-in", async () => {
  expect((await runAnonymous("admin deployments list")).code).toBe(4);
});
