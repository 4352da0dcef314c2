import { expect, test } from "vitest";
import { callSamples } from "./samples.ts";

test.each(["curl", "TypeScript", "Python", "CLI"])(
  "the %s sample contains the key where it is known, else its variable",
  (name) => {
    const of = (key: string | null) =>
      callSamples("a/b", "http://host", key).find((sample) => sample.name === name)?.code;
    expect(of("rc_1")).toContain("rc_1");
    expect(of("rc_1")).not.toMatch(/\$FEATHER_API_KEY|process\.env|os\.environ|login/);
    expect(of(null)).toMatch(/FEATHER_API_KEY|login/);
    expect(of(null)).toContain("a/b");
  },
);
