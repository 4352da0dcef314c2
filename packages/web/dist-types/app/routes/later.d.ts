/** A page that has its address but is not built yet, and says so. */
export declare function Later({ title }: {
    title: string;
}): import("react").JSX.Element;
