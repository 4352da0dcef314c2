import type { Turn } from "./conversation.ts";
/** One turn of the conversation. Answers are prose; what the person said stays as they wrote it. */
export declare function TurnView({ turn, last, again }: {
    turn: Turn;
    last: boolean;
    again(): void;
}): import("react").JSX.Element;
