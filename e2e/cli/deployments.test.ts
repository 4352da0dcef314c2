/** Deployments from the terminal and from pipelines, against the platform itself and its local provider. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { type Cli, createCli } from "../support/cli.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
let person: Cli;
let admin: Cli;

/** A person whose plan has a private cloud. */
beforeAll(async () => {
  const { email, token } = await createAccount(baseUrl);
  admin = createCli({ baseUrl, token: (await signInAsAdmin(baseUrl)).token });
  expect((await admin.run(`admin users grant-plan ${email} feather_max --yes`)).code).toBe(0);
  person = createCli({ baseUrl, token });
});
afterAll(async () => {
  for (const id of (await person.run("deployments list -q")).stdout.trim().split("\n"))
    if (id !== "") await person.run(`deployments delete ${id} --yes`);
  for (const one of [person, admin]) one.remove();
});

/** A manifest in the folder of the program. */
function manifest(name: string, ...documents: string[]): string {
  const path = join(person.home, name);
  writeFileSync(path, documents.join("---\n"));
  return path;
}

const bot = (name: string, more = "") =>
  `name: ${name}\nprovider_id: local\nregion: here\ninstance_type: cpu\nmodel_id: feather/demo\n${more}`;
const ONE = "min_replicas: 1\nmax_replicas: 1\n";

describe("deployments from a file", () => {
  type Step = { action: string; name: string; id: string };
  const actions = async (line: string) =>
    (await person.json<Step[]>(`deployments apply ${line}`)).map(({ action, name }) => `${name} ${action}`);

  test("plan changes nothing; apply creates and waits; a second apply does nothing; prune deletes the rest", async () => {
    const both = manifest("both.yaml", bot("wren", ONE), bot("finch", ONE));
    expect(await actions(`-f ${both} --dry-run`)).toEqual(["wren create", "finch create"]);
    expect((await person.run("deployments list -q")).stdout).toBe("");

    expect((await person.run(`deployments apply -f ${both}`)).code).toBe(2); // nobody to ask, and no --yes
    const made = await person.run(`deployments apply -f ${both} --yes --wait --timeout 2m`);
    expect(made).toMatchObject({ code: 0 });
    expect(made.stdout).toMatch(/^dep_\w+\ndep_\w+\n$/);
    expect(made.stderr).toMatch(/wren is ready after \d+ s\./);
    expect((await person.run("deployments list --json state")).stdout).toBe(
      '[{"state":"running"},{"state":"running"}]\n',
    );

    expect(await actions(`-f ${both} --yes --wait`)).toEqual(["wren unchanged", "finch unchanged"]);

    const wider = manifest("wider.yaml", bot("wren", "min_replicas: 1\nmax_replicas: 2\n"));
    expect(await actions(`-f ${wider} --dry-run --prune`)).toEqual(["wren update", "finch delete"]);
    expect(await actions(`-f ${wider} --yes --prune --wait`)).toEqual(["wren update", "finch delete"]);
    expect((await person.run("deployments list --csv")).stdout).not.toMatch(/finch,running/);
  });

  test.each<[string, string, RegExp]>([
    ["not YAML", "name: [", /bad\.yaml:1:\d+: /],
    ["an unknown field", bot("wren", "replicas: 1\n"), /bad\.yaml:6:1: there is no field replicas/],
    ["a number out of range", bot("wren", "max_replicas: 0\n"), /bad\.yaml:6:15: max_replicas must be at least 1/],
    ["nothing", "# nothing\n", /describes no deployment/],
  ])("rejects %s with line and column and changes nothing", async (_, text, words) => {
    const { code, stdout, stderr } = await person.run(`deployments apply -f ${manifest("bad.yaml", text)} --yes`);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(words);
  });

  test.each<[string, string, number, RegExp]>([
    ["a model that is not there", bot("robin").replace("feather/demo", "feather/dmeo"), 3, /close: +feather\/demo/],
    ["a provider that is not there", bot("robin").replace("local", "mars"), 2, /mars|provider/],
  ])("reports %s with suggestions", async (_, text, status, words) => {
    const { code, stderr } = await person.run(`deployments apply -f ${manifest("wrong.yaml", text)} --yes`);
    expect([code, stderr]).toEqual([status, expect.stringMatching(words)]);
    expect((await person.run("deployments show robin")).code).toBe(3);
  });

  test("exits with 8 when waiting takes too long, and the deployment continues", async () => {
    const late = manifest("late.yaml", bot("tern", ONE));
    const left = await person.run(`deployments apply -f ${late} --yes --timeout 0s`);
    expect([left.code, left.stderr]).toEqual([8, expect.stringContaining("feather deployments wait tern")]);
    expect(left.stdout).toMatch(/^dep_\w+\n$/); // the id is printed even so
    expect((await person.run("deployments wait tern --timeout 2m")).code).toBe(0);
    expect((await person.run("deployments delete tern --yes")).code).toBe(0);
  });

  test("Ctrl-C while waiting keeps the deployment and names the command to check on it", async () => {
    let stopped = false;
    const left = await person.run(`deployments apply -f ${manifest("left.yaml", bot("ibis", ONE))} --yes --wait`, {
      onStderr: (said, kill) => {
        if (/^ibis {2}(pending|initializing)/m.test(said) && !stopped) {
          stopped = true;
          kill("SIGINT"); // a second one would end the process
        }
      },
    });
    expect([left.code, left.stderr]).toEqual([
      130,
      expect.stringContaining("Look again: feather deployments wait ibis"),
    ]);
    expect(left.stdout).toMatch(/^dep_\w+\n$/);
    expect((await person.run("deployments wait ibis --timeout 2m -q")).stdout).toBe(left.stdout);
  });
});

test("a dry run fails for an unknown model as applying it does", async () => {
  const unknown = manifest("unknown.yaml", bot("stork").replace("feather/demo", "feather/nope"));
  for (const flag of ["--dry-run", "--yes"]) {
    const { code, stderr } = await person.run(`deployments apply -f ${unknown} ${flag}`);
    expect([code, stderr]).toEqual([3, expect.stringContaining("feather/nope")]);
  }
});

describe("single deployments", () => {
  type Deployment = { id: string; ready_replicas: number; state: string; url: string };

  test("are created, called with their token, scaled, paused, resumed, shown and deleted", async () => {
    const made = await person.run("deployments create support-bot -m feather/demo --replicas 1 --wait");
    expect(made).toMatchObject({ code: 0 });
    const token = made.stdout.trim();
    expect(token).toMatch(/^dpt_/);
    const shown = await person.json<Deployment>("deployments show support-bot");

    const call = async (credential: string) =>
      (
        await fetch(`${shown.url}/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
          body: JSON.stringify({ model: "feather/demo", messages: [{ role: "user", content: "Hi" }], max_tokens: 3 }),
        })
      ).status;
    expect(await call(token)).toBe(200);

    // Exactly this change is waited for: both replicas are there when it ends.
    const scaled = await person.json<Deployment>("deployments scale support-bot 2 --wait");
    expect(scaled).toMatchObject({ state: "running", ready_replicas: 2 });

    expect((await person.run("deployments pause support-bot")).code).toBe(0);
    expect((await person.run("deployments wait support-bot --timeout 10s")).code).toBe(5);
    const started = await person.json<Deployment>("deployments resume support-bot --wait");
    expect(started).toMatchObject({ state: "running", ready_replicas: 2 });

    const restarted = await person.json<Deployment>("deployments restart support-bot --wait");
    expect(restarted).toMatchObject({ state: "running", ready_replicas: 2 });
    expect((await person.run("deployments logs support-bot")).stdout.match(/\tstarting$/gm)?.length).toBeGreaterThan(4);
    await expect
      .poll(async () => person.json("deployments metrics support-bot"))
      .toMatchObject({ items: [{ requests: 1, errors: 0 }] });

    expect((await person.run("deployments logs support-bot --tail 2")).stdout).toMatch(/^\S+Z\t\S+\t\w+/);
    expect((await person.run("deployments open support-bot --print")).stdout).toContain(shown.id);
    expect((await person.run("deployments token support-bot")).code).toBe(2);
    const next = await person.run("deployments token support-bot --yes");
    expect([await call(token), await call(next.stdout.trim())]).toEqual([401, 200]);

    expect((await admin.run("admin deployments list")).stdout).toContain(shown.id);
    expect((await admin.run(`admin deployments redeploy ${shown.id} --yes`)).code).toBe(0);
    expect((await person.run(`deployments delete ${shown.id} --yes`)).code).toBe(0);
    expect((await person.run("deployments show suport-bot")).code).toBe(3);
  });

  test("list their providers, and print a manifest schema for editors", async () => {
    expect((await person.run("deployments providers")).stdout).toMatch(/^local\tcpu\t/);
    expect(JSON.parse((await person.run("deployments schema")).stdout)).toMatchObject({ type: "object" });
  });

  test("follow logs until the deployment is deleted", async () => {
    expect((await person.run("deployments create heron -m feather/demo --replicas 1 --wait")).code).toBe(0);
    let lines = "";
    const followed = person.run("deployments logs heron --follow", {
      onStdout: (text) => {
        lines = text;
      },
    });
    const starts = () => lines.match(/\tstarting$/gm)?.length;
    await expect.poll(starts).toBe(1);
    expect((await person.run("deployments scale heron 2")).code).toBe(0);
    await expect.poll(starts).toBe(2);
    expect((await person.run("deployments delete heron --yes")).code).toBe(0);
    expect((await followed).stdout).toMatch(/ready/);
  });
});
