import type { ReactNode } from "react";
/** Concurrency units, drawn as the barbs of a feather. */
export declare function Barbs({ on, of, label }: {
    on: number;
    of?: number;
    label?: string;
}): import("react").JSX.Element;
/** `owner/name`, the owner dim and the name strong. Never cut off in the middle. */
export declare function ModelId({ id }: {
    id: string;
}): import("react").JSX.Element;
/** A dot and a word. */
export declare function State({ tier, children }: {
    tier: string;
    children?: ReactNode;
}): import("react").JSX.Element;
export declare function Tag({ children }: {
    children: ReactNode;
}): import("react").JSX.Element;
export declare function Skeleton({ width, height }: {
    width?: number | string;
    height?: number;
}): import("react").JSX.Element;
/** What an empty page is for and how to fill it. */
export declare function EmptyState({ title, children, action }: {
    title: string;
    children: ReactNode;
    action?: ReactNode;
}): import("react").JSX.Element;
/** The mark of the product: a feather. */
export declare function Logo({ size }: {
    size?: number;
}): import("react").JSX.Element;
