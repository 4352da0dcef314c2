export type Theme = "light" | "dark" | "system";
export declare function readTheme(): Theme;
export declare function applyTheme(theme: Theme): void;
