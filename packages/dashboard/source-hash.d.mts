export function sourceHash(): string;
export function isBuilt(): boolean;
