import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isInstalled } from "./installed.ts";

const UNITS = fileURLToPath(new URL("../../deploy/systemd/", import.meta.url));
const NODE = "/opt/feather/node_modules/.bin/node";
const ANALYZE = "systemd-analyze";
/**
 * The highest accepted exposure, in tenths of systemd's measure from 0 to 10. The sandbox of models needs the
 * permissions that remain.
 */
const MAX_EXPOSURE = 30;

if (!isInstalled(ANALYZE, ["--version"]))
  test("the unit files are checked", (context) => context.skip(`${ANALYZE} is not installed`));
else
  describe("the unit files, checked by systemd", () => {
    let folder: string;
    let unit: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "feather-unit-"));
      unit = join(folder, "feather.service");
      // systemd looks whether the program is there
      for (const name of ["feather.service", "feather-backup.service", "feather-backup.timer"])
        writeFileSync(join(folder, name), readFileSync(join(UNITS, name), "utf8").replace(NODE, process.execPath));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test.each(["feather.service", "feather-backup.service", "feather-backup.timer"])("%s has no faults", (name) => {
      const { status, stderr } = spawnSync(ANALYZE, ["verify", "--man=no", join(folder, name)], { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    });

    test("leave the service little to attack", () => {
      const args = ["security", "--offline=true", `--threshold=${MAX_EXPOSURE}`, unit];
      const { status, stdout } = spawnSync(ANALYZE, args, { encoding: "utf8" });
      expect(status, stdout).toBe(0);
    });
  });
