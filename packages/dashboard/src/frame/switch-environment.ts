import { useNavigate } from "@tanstack/react-router";

/** Lists whose rows are of one environment: what is open in one is not there in another. */
const LISTS = ["/events", "/runs"] as const;

/**
 * Shows another environment on the same page, without the filters: they name things of the one before.
 * @returns what switches to the environment of a name
 */
export function useSwitchEnvironment(): (name: string) => void {
  const navigate = useNavigate();
  return (name) => {
    const { pathname } = window.location;
    const list = LISTS.find((path) => pathname.includes(`${path}/`));
    void navigate({
      to: list ?? ".",
      search: { env: name === "production" ? undefined : name } as never,
    });
  };
}
