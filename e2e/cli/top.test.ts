/** `feather top` at a real terminal, against the platform itself and its local provider. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { type Cli, createCli, FEATHER } from "../support/cli.ts";
import { platformUrl } from "../support/platform-url.ts";
import { openTerminal } from "../support/pseudo-terminal.ts";

const baseUrl = platformUrl();
const open: ReturnType<typeof openTerminal>[] = [];
let person: Cli;
let admin: Cli;
let token: string;

/** A person whose plan has a private cloud, with a deployment. */
beforeAll(async () => {
  const account = await createAccount(baseUrl);
  token = account.token;
  admin = createCli({ baseUrl, token: (await signInAsAdmin(baseUrl)).token });
  expect((await admin.run(`admin users grant-plan ${account.email} feather_max --yes`)).code).toBe(0);
  person = createCli({ baseUrl, token });
  expect((await person.run("deployments create heron -m feather/demo --replicas 1 --wait")).code).toBe(0);
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});
afterAll(async () => {
  await person.run("deployments delete heron --yes");
  for (const one of [person, admin]) one.remove();
});

/** Opens the screen between two lines of a shell, the second of which has the exit code. */
function top(columns = 100) {
  const env = {
    HOME: person.home,
    FEATHER_CONFIG_DIR: person.home,
    FEATHER_BASE_URL: baseUrl,
    FEATHER_API_KEY: token,
    feather: `${process.execPath} ${FEATHER}`,
  };
  const terminal = openTerminal("sh", ["-c", "echo before; $feather top; echo after $?"], { env, columns });
  open.push(terminal);
  return terminal;
}

test("lists what the person has, filters, fits a narrower terminal, and leaves the screen as it was", async () => {
  expect((await person.run(["chat", "-m", "feather/demo", "Who are you?"])).code).toBe(0);
  const terminal = top();
  await terminal.waitForText("units in use");
  await terminal.waitForText("feather/demo  completed");
  expect(terminal.text()).not.toContain("before");

  terminal.typeKeys("2");
  await terminal.waitForText("CONTEXT");
  terminal.typeKeys("/");
  await terminal.waitForText("/▌");
  terminal.typeKeys("feather/demo");
  await terminal.waitForText("/feather/demo▌");
  expect(terminal.text()).not.toMatch(/Qwen\//);
  terminal.typeKeys("\r");
  await terminal.waitForText("Esc shows all");

  terminal.resize(40);
  // Only the chosen pane is named, and the keys that do not fit are left out.
  await expect.poll(terminal.text, { timeout: 60_000 }).toMatch(/^1 {2}2 Models \d+ {2}3 {2}4 /m);

  terminal.typeKeys("q");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.text()).toBe("before\nafter 0");
  expect(terminal.raw().lastIndexOf("\u001b[?25h")).toBeGreaterThan(terminal.raw().lastIndexOf("\u001b[?25l"));
});

test("pauses a deployment after a question", async () => {
  const terminal = top();
  await terminal.waitForText("units in use");
  terminal.typeKeys("3");
  await terminal.waitForText("› heron");
  terminal.typeKeys("x");
  await terminal.waitForText("Pause heron? Its replicas are stopped, its settings stay. (y/N)");
  terminal.typeKeys("y");
  await terminal.waitForText("heron is paused. Start it: feather deployments resume heron");
  expect(await person.json<{ state: string }>("deployments show heron")).toMatchObject({ state: "paused" });
  terminal.typeKeys("\u0003");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.text()).toBe("before\nafter 0");
});

test("leaves the screen as it was when it is told to end", async () => {
  const env = { FEATHER_CONFIG_DIR: person.home, FEATHER_BASE_URL: baseUrl, FEATHER_API_KEY: token };
  const terminal = openTerminal(process.execPath, [FEATHER, "top"], { env });
  open.push(terminal);
  await terminal.waitForText("units in use");
  terminal.signal("SIGTERM");
  expect(await terminal.ended()).toBe(143);
  expect(terminal.text()).not.toContain("units in use");
  expect(terminal.raw()).toContain("\u001b[?1049l");
  expect(terminal.raw().lastIndexOf("\u001b[?25h")).toBeGreaterThan(terminal.raw().lastIndexOf("\u001b[?25l"));
});
