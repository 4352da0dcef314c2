import { expect, test } from "vitest";
import { createCallSamples } from "./call-samples.ts";

test.each(["curl", "TypeScript", "Python", "CLI"])(
  "the %s sample contains the key where it is known, else its variable",
  (name) => {
    const getCode = (key: string | null) =>
      createCallSamples("a/b", "http://host", key).find((sample) => sample.name === name)?.code;
    expect(getCode("rc_1")).toContain("rc_1");
    expect(getCode("rc_1")).not.toMatch(/\$FEATHER_API_KEY|process\.env|os\.environ|login/);
    expect(getCode(null)).toMatch(/FEATHER_API_KEY|login/);
    expect(getCode(null)).toContain("a/b");
  },
);
