export default function ModelPage(): import("react").JSX.Element;
