/** Keys, plan, money and applications from the terminal, against the platform itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { type Cli, createCli } from "../support/cli.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
let person: Cli;
let admin: Cli;
let email = "";
beforeAll(async () => {
  const account = await createAccount(baseUrl);
  email = account.email;
  person = createCli({ baseUrl, token: account.token });
  admin = createCli({ baseUrl, token: (await signInAsAdmin(baseUrl)).token });
});
afterAll(() => {
  for (const one of [person, admin]) one.remove();
});

test("creates, restricts, renames, rotates, disables and deletes an API key", async () => {
  type Key = { id: string; name: string; secret: string; scopes: string[]; disabled: boolean };
  const made = await person.json<Key>("keys create ci --models feather/demo --expires 2099-01-01");
  const call = (secret: string) =>
    person.run("chat -m feather/demo hello --max-tokens 5", { env: { FEATHER_API_KEY: secret, FEATHER_TOKEN: "" } });
  expect((await call(made.secret)).code).toBe(0);

  // By its name as well as by its id.
  expect((await person.run("keys rename ci build")).code).toBe(0);
  expect(await person.json<Key>("keys show build")).toMatchObject({ id: made.id, name: "build" });
  expect((await person.run("keys show biuld")).stderr).toContain("did you mean build?");

  expect((await person.run(`keys rotate ${made.id}`)).code).toBe(2); // the one before ends: not unasked
  const rotated = await person.run(`keys rotate ${made.id} --yes`);
  expect(rotated.stdout).toMatch(/^rc_\w{49}\n$/);
  expect((await call(rotated.stdout.trim())).code).toBe(0);

  expect((await person.run(`keys update ${made.id} --disable`)).code).toBe(0);
  expect((await call(rotated.stdout.trim())).code).toBe(4);
  expect((await person.run(`keys delete ${made.id} --yes`)).code).toBe(0);
  expect((await person.run(`keys show ${made.id}`)).code).toBe(3);
});

describe("feather usage", () => {
  test("prints tables, single requests and CSV", async () => {
    await person.run("chat -m feather/demo hello --max-tokens 5");
    const rows = await person.run("usage --last 24h --by model --csv");
    const [head = "", row = ""] = rows.stdout.split("\n");
    expect(head.split(",")).toEqual(expect.arrayContaining(["model", "requests"]));
    expect(row).toMatch(/^feather\/demo,/);
    const [id = ""] = (await person.run("usage requests -q")).stdout.split("\n");
    expect(id).toMatch(/^req_/);
    expect((await person.run(`usage show ${id}`)).stdout).toContain("feather/demo");
    expect((await person.run("usage --live")).code).toBe(0);
    expect((await person.run("usage --last 24h")).stdout.split("\n").length).toBeGreaterThan(1);
  });
});

describe("plans and credits", () => {
  test("lists plans, previews a change, and makes it only if it is confirmed and can be paid", async () => {
    expect((await person.run("subscription plans -q")).stdout).toContain("feather_pro_plus\n");
    expect(await person.json("subscription preview feather_pro_plus")).toMatchObject({
      total_due_now_cents: expect.any(Number),
    });
    expect((await person.run("subscription preview feather_pro_plsu")).code).toBe(3);
    expect((await person.run("subscription change feather_pro_plus")).code).toBe(2);
    const unpaid = await person.run("subscription change feather_pro_plus --yes");
    expect([unpaid.code, unpaid.stderr]).toEqual([7, expect.stringContaining("card")]);
    expect((await person.run("subscription show")).stdout).toMatch(/^plan\tLite\n/);
  });

  test("shows a granted plan at once and does not cancel it without confirmation", async () => {
    expect((await admin.run(`admin users grant-plan ${email} feather_max --yes`)).code).toBe(0);
    expect((await person.run("subscription show")).stdout).toMatch(/^plan\tMax\n/);
    expect((await person.run("subscription cancel")).code).toBe(2);
  });

  test("reports an unknown coupon, and shows credits once they are granted", async () => {
    expect((await person.run("coupons check NOSUCH")).code).toBe(3);
    expect(
      (await admin.run(["admin", "users", "grant-credits", email, "--amount", "2.50", "--reason", "a test", "--yes"]))
        .code,
    ).toBe(0);
    expect((await person.run("credits balance")).stdout).toContain("$2.50");
    expect((await person.run("credits history --csv")).stdout.split("\n")).toHaveLength(3);
  });

  test("checks a coupon before it is used", async () => {
    const coupon = { code: "FEATHERS", percent_off: 50, duration: "once" };
    const made = await admin.run(["api", "POST", "/admin/coupons", "-d", JSON.stringify(coupon)]);
    if (made.code === 3) return; // this platform has coupons by its settings only
    expect(made).toMatchObject({ code: 0 });
    expect((await person.run("coupons check FEATHERS")).stdout).toContain("50");
  });
});

test("registers, changes, disables and deletes an application, and rotates its secret", async () => {
  type App = { id: string; client_secret: string };
  const app = await person.json<App>([
    ...["apps", "create", "Roost", "--redirect", "https://roost.example/callback", "--scope", "user.read"],
  ]);
  expect(app.client_secret).toMatch(/^secret_/);
  expect((await person.run("apps list -q")).stdout).toBe(`${app.id}\n`);
  expect((await person.run(["apps", "update", app.id, "--description", "A place to sleep"])).code).toBe(0);
  expect((await person.run(`apps show ${app.id}`)).stdout).toContain("A place to sleep");
  expect((await person.run(`apps disable ${app.id}`)).code).toBe(0);
  expect((await person.run(`apps enable ${app.id}`)).code).toBe(0);
  expect((await person.run(`apps rotate-secret ${app.id} --yes`)).stdout).toMatch(/^secret_/);
  expect((await person.run(`apps delete ${app.id} --yes`)).code).toBe(0);
  expect((await person.run(`apps show ${app.id}`)).code).toBe(3);
});

test("doctor reports no problems on a healthy setup and names those of a broken one", async () => {
  const fine = await person.run("doctor");
  expect(fine.code).toBe(0);
  expect(fine.stdout).not.toMatch(/^\w+\t(failed|warning)\t/m);
  const broken = await person.run("doctor", { env: { FEATHER_TOKEN: "fst_nonsense" } });
  expect(broken.code).not.toBe(0);
  expect(broken.stdout).toMatch(/^sign-in\t(?!ok)/m);
});
