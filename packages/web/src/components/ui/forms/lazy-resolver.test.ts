import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createLazyResolver } from "./lazy-resolver.ts";

type Values = { name: string };
const schema = z.object({ name: z.string().min(2, { error: "Name is not valid." }) });
const options = { fields: {}, shouldUseNativeValidation: false, criteriaMode: "all" as const };

describe("the lazy resolver of a form", () => {
  test.each([
    ["at hand", schema],
    ["that are loaded", async () => schema],
  ])("%s refuse what is wrong and let the rest pass", async (_, rules) => {
    const { resolver } = createLazyResolver<Values>(rules);
    expect((await resolver({ name: "" }, undefined, options)).errors).toMatchObject({
      name: { message: "Name is not valid." },
    });
    expect(await resolver({ name: "Ada" }, undefined, options)).toEqual({ values: { name: "Ada" }, errors: {} });
  });

  test("the lazily loaded rules of a form are loaded once, and before they are needed where somebody enters the form", async () => {
    let loads = 0;
    const { resolver, preload } = createLazyResolver<Values>(async () => {
      loads++;
      return schema;
    });
    preload();
    preload();
    await resolver({ name: "Ada" }, undefined, options);
    expect(loads).toBe(1);
  });

  test("the lazily loaded rules of a form leave it to the server where they cannot be loaded, and are tried again", async () => {
    let fails = true;
    const { resolver } = createLazyResolver<Values>(async () => {
      if (fails) throw new TypeError("Failed to fetch");
      return schema;
    });
    expect(await resolver({ name: "" }, undefined, options)).toEqual({ values: { name: "" }, errors: {} });
    fails = false;
    expect((await resolver({ name: "" }, undefined, options)).errors).toHaveProperty("name");
  });
});
