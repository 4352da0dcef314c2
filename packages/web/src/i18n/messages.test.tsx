import { plural, t } from "@lingui/core/macro";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import { Plural, Trans } from "@lingui/react/macro";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { i18n } from "./runtime.ts";

afterEach(() => {
  cleanup();
  i18n.loadAndActivate({ locale: "en", messages: {} });
});

test("English needs no catalogue", () => {
  const name = "qwen";
  expect(t`It's ${name}, of 100 %`).toBe("It's qwen, of 100 %");
  expect([0, 1, 2, 48_310].map((count) => plural(count, { one: "# model", other: "# models" }))).toEqual([
    "0 models",
    "1 model",
    "2 models",
    "48,310 models",
  ]);
});

test("elements keep their text where a translation reorders them", () => {
  const page = () => (
    <p>
      <Trans>
        See <a href="/docs">the docs</a> of <Plural value={2} one="# model" other="# models" />.
      </Trans>
    </p>
  );
  expect(render(page()).container.innerHTML).toBe('<p>See <a href="/docs">the docs</a> of 2 models.</p>');
  cleanup();
  const id = generateMessageId("See <0>the docs</0> of {0, plural, one {# model} other {# models}}.");
  const translation = "{0, plural, one {# Modell} other {# Modelle}}: <0>die Anleitung</0>.";
  i18n.loadAndActivate({ locale: "de", messages: { [id]: compileMessage(translation) } });
  expect(render(page()).container.innerHTML).toBe('<p>2 Modelle: <a href="/docs">die Anleitung</a>.</p>');
});

test("an untranslated message falls back to English", () => {
  i18n.loadAndActivate({ locale: "de", messages: {} });
  expect(t`Sign up`).toBe("Sign up");
});
