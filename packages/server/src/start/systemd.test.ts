import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSettings } from "../config/settings.ts";

const unit = readFileSync(new URL("../../../../deploy/systemd/feather.service", import.meta.url), "utf8");
const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

test("the unit file permits the namespaces that the sandbox needs, and no others", () => {
  expect(settingOf("RestrictNamespaces").split(" ").sort()).toEqual([
    "cgroup",
    "ipc",
    "mnt",
    "net",
    "pid",
    "user",
    "uts",
  ]);
  expect(settingOf("SystemCallFilter").split(" ")).toContain("@mount");
  expect(settingOf("RestrictAddressFamilies").split(" ")).toContain("AF_NETLINK");
});

test("the unit file signals only the server, and gives it enough time to drain", () => {
  expect(settingOf("KillMode")).toBe("mixed");
  expect(settingOf("ExecStart")).toMatch(/\/node packages\/server\/bin\/server\.js$/);
  const { server } = readSettings({ FEATHER_PUBLIC_URL: "https://feather.example" }, "/nonexistent");
  const drainSeconds = server.shutdownDelaySeconds + server.drainTimeoutSeconds;
  expect(Number(settingOf("TimeoutStopSec"))).toBeGreaterThan(drainSeconds + 30);
});
