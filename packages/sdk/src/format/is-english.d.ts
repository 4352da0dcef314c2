/** Returns whether a locale is one of English, for which some texts of Intl are replaced. */
export declare const isEnglish: (locale: string) => boolean;
