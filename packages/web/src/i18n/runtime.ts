import { i18n } from "@lingui/core";

/** The language the texts are written in. */
export const SOURCE_LOCALE = "en";

// The build compiles texts with placeholders; what still is plain text stands for itself.
i18n.setMessagesCompiler((text) => [text]);
i18n.loadAndActivate({ locale: SOURCE_LOCALE, messages: {} });

export { i18n };
