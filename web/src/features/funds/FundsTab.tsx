import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { PAYMENTS_RECENT, pendingOf, usePayments } from '../../api/payments.ts';
import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { CardPage } from './card/CardPage.tsx';
import { DetailsPage } from './details/DetailsPage.tsx';
import { fundsState, watchPayment } from './fundsState.ts';
import { PurchasePage } from './purchase/PurchasePage.tsx';

const TAB = 'funds';

export function FundsTab() {
  const page = useOpenPage(TAB);
  useFoundPayment();
  return (
    <PagedTab tab={TAB} title="Funds" pages={tabPages[TAB]} page={page} layout="reading">
      {page === 'purchase' && <PurchasePage />}
      {page === 'details' && <DetailsPage />}
      {page === 'moonpay' && <CardPage />}
    </PagedTab>
  );
}

/** A payment that was left pending, in another window or before a reload, is followed again. */
function useFoundPayment(): void {
  const { watchedId } = useSnapshot(fundsState);
  const { data } = usePayments(PAYMENTS_RECENT);
  const foundId = pendingOf(data ?? [], 'coin')?.id;
  useEffect(() => {
    if (watchedId === null && foundId !== undefined) watchPayment(foundId, false);
  }, [foundId, watchedId]);
}
