import { i18n } from "@lingui/core";

/** The language of the texts in the source code. */
export const SOURCE_LOCALE = "en";

// The build precompiles messages with placeholders, so an uncompiled message is plain text.
i18n.setMessagesCompiler((text) => [text]);
i18n.loadAndActivate({ locale: SOURCE_LOCALE, messages: {} });

export { i18n };
