import { fc } from "@feather/testing/properties";
import { expect, test } from "vitest";
import { loadContract } from "../../http/contract.ts";
import { validateRedirectUri } from "./redirect-uris.ts";

type Schemas = Record<string, { properties: { redirect_uris: { items: { pattern: string; maxLength: number } } } }>;

/** What the pattern cannot say: queries with names that the answer needs, and labels that are no encoded letters. */
const BEYOND_THE_PATTERN = /[?&](code|state|iss|error|error_description)=|xn--/i;

test.each(["ApplicationCreate", "ApplicationUpdate"])("%s describes redirect URIs that may be registered", (name) => {
  const { components } = loadContract().document as { components: { schemas?: Schemas } };
  const { pattern } = components.schemas?.[name]?.properties.redirect_uris.items ?? { pattern: "" };
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(pattern)), (uri) => {
      fc.pre(!BEYOND_THE_PATTERN.test(uri));
      expect(validateRedirectUri(uri)).toBeNull();
    }),
  );
});
