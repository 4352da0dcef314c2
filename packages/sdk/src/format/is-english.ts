/** Returns whether a locale is one of English, for which some texts of Intl are replaced. */
export const isEnglish = (locale: string): boolean => locale === "en" || locale.startsWith("en-");
