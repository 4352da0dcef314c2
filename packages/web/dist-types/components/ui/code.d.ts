/** Copies a text and says so. */
export declare function CopyButton({ text, label, className, }: {
    text: string;
    label?: string;
    className?: string;
}): import("react").JSX.Element;
/** The same thing in several languages, one at a time. */
export declare function CodeTabs({ samples }: {
    samples: readonly {
        name: string;
        code: string;
    }[];
}): import("react").JSX.Element | null;
