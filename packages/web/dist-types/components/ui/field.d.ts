import { type InputHTMLAttributes, type ReactNode } from "react";
type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & {
    label: string;
    hint?: ReactNode;
    errors?: readonly string[];
    end?: ReactNode;
};
/** A labelled input with its hint and every failing rule, wired for screen readers. */
export declare function Field({ label, hint, errors, end, type, ...input }: Props): import("react").JSX.Element;
export {};
