import { type Conversation } from "./conversation.ts";
import { type ChatSettings } from "./settings.ts";
/** A conversation with a model, and what can be done with it. */
export declare function useChat(model: string, settings: ChatSettings): {
    turns: Conversation;
    busy: boolean;
    ask(text: string): void;
    again(): void;
    stop: () => void | undefined;
    clear(): void;
};
