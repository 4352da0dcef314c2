import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const app = {
  id: "app_1",
  name: "Notes",
  description: "Notes that write themselves.",
  homepage_url: null,
  logo_url: null,
  redirect_uris: ["https://notes.example/callback"],
  scopes: ["user.read", "api.access"],
  client_type: "confidential",
  status: "active",
  owner: null,
  created_at: "2026-11-20T12:00:00.000Z",
};
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /application": () => ({ body: { items: [app] } }),
  "GET /application/app_1": () => ({ body: app }),
  "GET /application/app_0": () => errorResponse(404, "applications.not_found", "There is no application app_0."),
  "POST /application": ({ body }) => {
    const { client_type } = body as { client_type: string };
    const isPublic = client_type === "public";
    return { status: 201, body: { ...app, status: "pending", client_secret: isPublic ? null : "fs_secret" } };
  },
  "PUT /application/app_1": () => ({ body: { ...app, status: "pending" } }),
  "PUT /application/app_1/status": ({ body }) => ({ body: { ...app, ...(body as object) } }),
  "PUT /application/app_2/status": () => errorResponse(409, "applications.status_denied", "An admin suspended it."),
  "POST /application/app_1/regenerate-secret": () => ({
    body: { ...app, client_secret: "fs_new", old_secret_valid_until_at: "2026-11-22T12:00:00.000Z" },
  }),
  "POST /application/app_2/regenerate-secret": () => errorResponse(409, "applications.public", "It has no secret."),
  "DELETE /application/app_1": () => ({ status: 204 }),
});

test("lists applications for people, pipes and programs", async () => {
  expect((await runInteractive("apps list")).out).toMatch(
    /Notes +active +confidential +user\.read, api\.access +1 day ago +app_1\n/,
  );
  expect((await run("apps list")).out).toBe(
    "Notes\tactive\tconfidential\tuser.read, api.access\t2026-11-20T12:00:00.000Z\tapp_1\n",
  );
  expect(JSON.parse((await run("apps list --json id,status")).out)).toEqual([{ id: "app_1", status: "active" }]);
});

test("shows an application", async () => {
  const { out } = await run("apps show app_1");
  expect(out).toContain("comes back to\thttps://notes.example/callback\n");
  expect(JSON.parse((await run("apps show app_1 --json")).out)).toEqual(app);
});

test("takes the name of an application for its id, and names a close one", async () => {
  expect(JSON.parse((await run("apps show Notes --json")).out)).toEqual(app);
  const { code, err } = await run("apps show Nots");
  expect(code).toBe(3);
  expect(err).toContain("there is no application called Nots");
  expect(err).toContain("did you mean Notes?");
});

test.each([
  ["", "fs_secret\n", "Its secret is shown this one time", { client_type: "confidential", scopes: ["user.read"] }],
  [
    " --public --scope api.access",
    "app_1\n",
    "once it has been reviewed",
    { client_type: "public", scopes: ["api.access"] },
  ],
])("apps create%s prints only the secret or the id", async (flags, out, message, body) => {
  const ran = await run(`apps create Notes --redirect https://a.example/c --redirect https://b.example/c${flags}`);
  expect([ran.code, ran.out]).toEqual([0, out]);
  expect(ran.err).toContain(message);
  expect(requests()[0]?.body).toEqual({
    name: "Notes",
    redirect_uris: ["https://a.example/c", "https://b.example/c"],
    ...body,
  });
});

test("changes only the properties that flags set", async () => {
  const { out, err } = await run(["apps", "update", "app_1", "--name", "Notes", "--homepage", ""]);
  expect([out, err]).toEqual(["app_1\n", "Changed Notes. It works again once it has been reviewed.\n"]);
  expect(requests()[0]?.body).toEqual({ name: "Notes", homepage_url: null });
});

test.each([
  ["enable", "active"],
  ["disable", "inactive"],
])("apps %s makes an application %s", async (verb, status) => {
  expect(await run(`apps ${verb} app_1`)).toEqual({ code: 0, out: "app_1\n", err: `Notes is ${status} now.\n` });
  expect(requests()[0]?.body).toEqual({ status });
});

test("apps rotate-secret prints only the new secret on stdout", async () => {
  const { out, err } = await run("apps rotate-secret app_1 --yes");
  expect(out).toBe("fs_new\n");
  expect(err).toContain("The old one works until 22 Nov 2026, 12:00 UTC.");
});

test("deletes an application", async () => {
  expect(await run("apps delete app_1 --yes")).toEqual({ code: 0, out: "", err: "Deleted app_1.\n" });
});

test.each([
  ["apps show app_0", 3, "There is no application app_0."],
  ["apps enable app_2", 6, "An admin suspended it."],
  ["apps rotate-secret app_2 --yes", 6, "It has no secret."],
])("%s exits with %i", async (line, exitCode, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([exitCode, ""]);
  expect(err).toContain(message);
});

test.each([
  ["apps show", "there is nobody to ask here"],
  ["apps create Notes", "needs an address to come back to"],
  ["apps create Notes --redirect https://a.example --scope admin", "It takes user.read"],
  ["apps update app_1", "nothing to change"],
  ["apps delete app_1", "--yes"],
  ["apps rotate-secret app_1", "--yes"],
])("%s is rejected before any request is sent", async (line, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(message);
  expect(requests()).toEqual([]);
});

test("the command needs a sign-in", async () => {
  expect((await runAnonymous("apps list")).code).toBe(4);
});
