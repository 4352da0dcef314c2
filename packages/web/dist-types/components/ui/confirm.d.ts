import { type ReactNode } from "react";
export type Confirmation = {
    title?: string;
    description?: ReactNode;
    cancelButtonText?: string;
    confirmButtonText?: string;
    destructive?: boolean;
    /** Runs when the person agrees; the dialog shows that it is working and closes afterwards, however it went. */
    action(): Promise<void> | void;
};
/** Asks before doing something: `confirm({ title: "Delete key", destructive: true, action })`. */
export declare const useConfirm: () => ((confirmation: Confirmation) => void);
export declare function ConfirmProvider({ children }: {
    children: ReactNode;
}): import("react").JSX.Element;
