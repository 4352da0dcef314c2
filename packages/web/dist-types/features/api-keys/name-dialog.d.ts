type Props = {
    open: boolean;
    title: string;
    submitLabel: string;
    initial?: string;
    close(): void;
    save(name: string): Promise<void>;
};
/** Asks for the name of a key. */
export declare function NameDialog({ open, title, submitLabel, initial, close, save }: Props): import("react").JSX.Element;
export {};
