import type { ReactNode } from "react";
export declare const TOAST_LIMIT = 1;
export declare const TOAST_REMOVE_DELAY = 3000;
export declare const TOAST_DURATION = 3000;
export type Toast = {
    id: string;
    title?: ReactNode;
    description?: ReactNode;
    action?: {
        label: string;
        run(): void;
    };
    open: boolean;
    duration: number;
    variant: "default" | "destructive" | "success";
};
export type ToastAction = {
    type: "add";
    toast: Toast;
} | {
    type: "update";
    toast: Partial<Toast> & {
        id: string;
    };
} | {
    type: "dismiss";
    id?: string;
} | {
    type: "remove";
    id?: string;
};
/** The toasts after an action. At most one is kept: the newest replaces the one before. */
export declare function toastReducer(toasts: readonly Toast[], action: ToastAction): readonly Toast[];
