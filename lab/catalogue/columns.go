package catalogue

import (
	"slices"

	"example.com/doublecharge/lab/explore"
)

// Column is one way to break a payment, as the matrix tries it on real processes. The explorer searches
// all schedules of its adversary, of which the column is one.
type Column struct {
	ID string `json:"id"`
	// Code is the head of the column where there is little room.
	Code      string            `json:"code"`
	Adversary explore.Adversary `json:"adversary"`
	Title     Text              `json:"title"`
}

// Columns lists the columns of the default matrix, in the order in which they are shown.
func Columns() []Column {
	crash := func(step, code, en, tr string) Column {
		return Column{"crash:worker." + step, code, explore.Crash, Text{en, tr}}
	}
	return []Column{
		crash("received", "rc", "Crash on receipt", "Teslim alınca çökme"),
		crash("checked", "ck", "Crash after the look", "Bakıştan sonra çökme"),
		crash("charging", "cg", "Crash before the charge", "Çekimden önce çökme"),
		crash("charged", "ch", "Crash after the charge", "Çekimden sonra çökme"),
		crash("applied", "ap", "Crash after the effects", "Yerel etkilerden sonra çökme"),
		crash("recorded", "rd", "Crash after the record", "Kayıttan sonra çökme"),
		crash("acked", "ak", "Crash after the ack", "Ack'ten sonra çökme"),
		{"stripe.request_lost", "rq", explore.LostAnswer, Text{"Request lost", "İstek kayboldu"}},
		{"stripe.response_lost", "rs", explore.LostAnswer, Text{"Response lost", "Yanıt kayboldu"}},
		{"stripe.charged_then_500", "5x", explore.LostAnswer, Text{"Charged, then 500", "Çekildi, yanıt 500"}},
		{"broker.duplicate", "du", explore.Duplicate, Text{"Published twice", "İki kez yayımlandı"}},
		{"two-workers", "2w", explore.TwoWorkers, Text{"Two deliveries at once", "Aynı anda iki teslimat"}},
		{"redis.flush", "rf", explore.LostRedis, Text{"Redis flushed", "Redis boşaltıldı"}},
		{"key-forgotten", "kf", explore.ForgottenKey, Text{"Key forgotten", "Anahtar unutuldu"}},
		{
			"lookup-lost", "kl", explore.ForgottenKey,
			Text{"Key forgotten, bank silent", "Anahtar unutuldu, banka sustu"},
		},
		{"lease-end", "le", explore.LeaseEnd, Text{"Lease ends too soon", "Lease erken doldu"}},
		{"second-purchase", "sp", explore.SecondPurchase, Text{"Honest second purchase", "Gerçek ikinci alışveriş"}},
	}
}

// ColumnIDs lists their ids.
func ColumnIDs() []string {
	var ids []string
	for _, column := range Columns() {
		ids = append(ids, column.ID)
	}
	return ids
}

// index is where a column stands in the table.
func index(column string) int { return slices.Index(ColumnIDs(), column) }
