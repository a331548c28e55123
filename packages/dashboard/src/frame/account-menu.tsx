import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { KeyRound, LogOut, UserRound } from "lucide-react";
import { useMe } from "../api/me.ts";
import { logOut } from "../api/sessions.ts";
import { forgetKept } from "../parts/kept.ts";
import { Menu, MenuHeading, MenuItem, MenuLine } from "../parts/menu.tsx";
import { toastError } from "../parts/toast.tsx";

/** Who is logged in, and the ways to their account and out. */
export function AccountMenu({ folded }: { folded: boolean }) {
  const me = useMe();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  if (me === undefined) return <span className="flex-1" />;
  const leave = async () => {
    try {
      await logOut(me);
      queryClient.clear();
      forgetKept();
      navigate({ to: "/login", search: {} as never });
    } catch (error) {
      toastError(error);
    }
  };
  const Icon = me.kind === "token" ? KeyRound : UserRound;
  return (
    <Menu
      label={`Account of ${me.name}`}
      trigger={
        <button
          type="button"
          className="flex h-7 min-w-7 flex-1 items-center gap-2 rounded-md px-1.5 text-left text-muted hover:bg-hover hover:text-text"
        >
          <Icon size={15} aria-hidden className="shrink-0" />
          {!folded && <span className="min-w-0 flex-1 truncate">{me.name}</span>}
        </button>
      }
    >
      <MenuHeading>{me.user === null ? `API token ${me.name}` : me.user.email}</MenuHeading>
      {me.user !== null && (
        <MenuItem icon={<UserRound size={14} />} onSelect={() => navigate({ to: "/account" })}>
          Your account
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon={<LogOut size={14} />} onSelect={leave}>
        {me.user === null ? "Forget the token" : "Log out"}
      </MenuItem>
    </Menu>
  );
}
