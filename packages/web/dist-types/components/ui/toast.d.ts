import { type ReactNode } from "react";
import { type Toast } from "./toast-state.ts";
type NewToast = Partial<Omit<Toast, "id" | "open">>;
/** Shows a short message: `const toast = useToast(); toast({ title: "Saved" })`. */
export declare const useToast: () => ((toast: NewToast) => void);
export declare function ToastProvider({ children }: {
    children: ReactNode;
}): import("react").JSX.Element;
export {};
