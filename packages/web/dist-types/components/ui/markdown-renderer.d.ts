/** Renders Markdown without running anything in it, also while it is still arriving. */
export declare function MarkdownRenderer({ text, streaming }: {
    text: string;
    streaming: boolean;
}): import("react").JSX.Element;
