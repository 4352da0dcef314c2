import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isInstalled } from "./installed.ts";

const UNIT = fileURLToPath(new URL("../../deploy/systemd/feather.service", import.meta.url));
const ANALYZE = "systemd-analyze";
/** Tenths of systemd's measure of exposure, which goes from 0 to 10. What is left over, the sandbox of models needs. */
const MAX_EXPOSURE = 30;

if (!isInstalled(ANALYZE, ["--version"]))
  test("the unit file is checked", (context) => context.skip(`${ANALYZE} is not installed`));
else
  describe("the unit file, checked by systemd", () => {
    let folder: string;
    let unit: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "feather-unit-"));
      unit = join(folder, "feather.service");
      // systemd looks whether the program is there
      writeFileSync(unit, readFileSync(UNIT, "utf8").replace("/opt/feather/node_modules/.bin/node", process.execPath));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test("has no faults", () => {
      const { status, stderr } = spawnSync(ANALYZE, ["verify", "--man=no", unit], { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    });

    test("leaves the service little to attack", () => {
      const args = ["security", "--offline=true", `--threshold=${MAX_EXPOSURE}`, unit];
      const { status, stdout } = spawnSync(ANALYZE, args, { encoding: "utf8" });
      expect(status, stdout).toBe(0);
    });
  });
