import { type ChatSettings } from "./settings.ts";
/** The system prompt and the samplers. */
export declare function SettingsForm({ settings, change }: {
    settings: ChatSettings;
    change(next: ChatSettings): void;
}): import("react").JSX.Element;
