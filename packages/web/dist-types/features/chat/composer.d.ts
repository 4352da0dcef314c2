import { type ReactNode } from "react";
type Props = {
    placeholder: string;
    busy: boolean;
    disabled: boolean;
    start: ReactNode;
    end: ReactNode;
    send(text: string): void;
    stop(): void;
};
/** Where a message is written. Enter sends, Shift and Enter begin a new line. */
export declare function Composer({ placeholder, busy, disabled, start, end, send, stop }: Props): import("react").JSX.Element;
export {};
