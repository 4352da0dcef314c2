/** Figures of an answer: tokens as the backend counted them, and times in milliseconds as seen here. */
export type AnswerFigures = {
    tokens: number | null;
    firstMs: number | null;
    totalMs: number;
};
export type Turn = {
    id: string;
    role: "user";
    text: string;
} | {
    id: string;
    role: "assistant";
    text: string;
    model: string;
    state: "streaming" | "done" | "stopped" | "failed";
    error?: string;
    figures?: AnswerFigures;
};
export type Conversation = readonly Turn[];
export type ConversationAction = {
    type: "ask";
    id: string;
    answerId: string;
    text: string;
    model: string;
} | {
    type: "again";
    answerId: string;
    model: string;
} | {
    type: "delta";
    id: string;
    text: string;
} | {
    type: "end";
    id: string;
    state: "done" | "stopped" | "failed";
    error?: string;
    figures: AnswerFigures;
} | {
    type: "clear";
};
/** The conversation after an action. `again` throws the last answer away and begins it anew. */
export declare function conversationReducer(turns: Conversation, action: ConversationAction): Conversation;
/** What is sent to the model: the system prompt, then every turn that has something in it. */
export declare function toMessages(turns: Conversation, system: string): {
    role: "system" | "user" | "assistant";
    content: string;
}[];
