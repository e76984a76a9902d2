package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// TestAStormOfKills sends 200 checkouts from 20 clients, each three times with the same key, while
// children of all roles are killed at random 30 times: 200 charges, 200 paid orders, points exact.
func TestAStormOfKills(t *testing.T) {
	t.Parallel()
	const clients, purchases, copies, kills = 20, 10, 3, 30
	d := startDemo(t, "--workers", "2")
	var orders sync.Map // key → order id
	var clientsDone errgroup.Group
	for client := range clients {
		clientsDone.Go(func() error {
			for purchase := range purchases {
				key := fmt.Sprintf("storm-%d-%d", client, purchase)
				var sends errgroup.Group
				for range copies {
					sends.Go(func() error {
						order, err := d.checkout("mert", key, coffee)
						if first, known := orders.LoadOrStore(key, order.ID); err == nil && known && first != order.ID {
							return fmt.Errorf("%s gave two orders: %v and %s", key, first, order.ID)
						}
						return err
					})
				}
				if err := sends.Wait(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	d.killAtRandom(kills)
	if err := clientsDone.Wait(); err != nil {
		t.Fatal(err)
	}
	d.quiet()
	checkBooks(t, d, clients*purchases)
}

// killAtRandom kills a random process of the lab, again and again. The seed is fixed; what it hits is
// chance enough.
func (d *demoUnderTest) killAtRandom(times int) {
	d.t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	tick := time.NewTicker(150 * time.Millisecond)
	defer tick.Stop()
	roles := map[string]int{}
	for killed := 0; killed < times; <-tick.C {
		var state step.State
		_, err := d.send(http.MethodGet, "/lab/state", "", nil, &state)
		if err != nil || len(state.Processes) == 0 {
			continue // The api is the one that was killed.
		}
		victim := state.Processes[random.IntN(len(state.Processes))]
		if syscall.Kill(victim.PID, syscall.SIGKILL) == nil {
			killed++
			roles[victim.Role]++
		}
	}
	d.t.Logf("killed %v", roles)
	if len(roles) < 5 {
		d.t.Errorf("only these roles were killed: %v", roles)
	}
}

// checkBooks holds the bank against our ledger, order by order.
func checkBooks(t *testing.T, d *demoUnderTest, orders int) {
	t.Helper()
	var statement payments.Statement
	d.must(http.MethodGet, "/lab/statement?account=mert", "", &statement)
	if got := len(statement.Bank.Lines); got != orders {
		t.Errorf("the bank shows %d charges, want %d", got, orders)
	}
	charged := map[string]string{}
	for _, line := range statement.Bank.Lines {
		charged[line.OrderID] = line.ChargeID
	}
	paid := 0
	for _, line := range statement.Ledger.Lines {
		if line.Status != payments.OrderPaid || line.Points != 420 || line.ChargeID != charged[line.OrderID] ||
			line.Receipts < 1 {
			t.Errorf("unexpected order in the ledger: %+v, charged by %s", line, charged[line.OrderID])
			continue
		}
		paid++
	}
	if paid != orders {
		t.Errorf("the ledger shows %d paid orders, want %d", paid, orders)
	}
}
